import { expect, test } from "vitest";
import { killStaysDown } from "../faults/matrix/kill-stays-down.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on over HTTP when the transport is killed and stays down", async (context) => {
  const outcome = await befall(context, killStaysDown);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.httpSegments).toBeGreaterThan(0);
  expect(outcome.endPath).toBe("http");
});
