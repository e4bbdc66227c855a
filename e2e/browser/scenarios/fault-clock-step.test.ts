import { expect, test } from "vitest";
import { clockStep } from "../faults/matrix/clock-step.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on over WebTransport when the receiver's clock jumps", async (context) => {
  const outcome = await befall(context, clockStep);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.httpSegments).toBe(0);
  expect(outcome.endPath).toBe("webtransport");
});
