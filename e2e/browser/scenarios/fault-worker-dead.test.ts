import { expect, test } from "vitest";
import { workerDead } from "../faults/matrix/worker-dead.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on when the receiver's worker dies", async (context) => {
  const outcome = await befall(context, workerDead);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.endPath).toBe("webtransport");
});
