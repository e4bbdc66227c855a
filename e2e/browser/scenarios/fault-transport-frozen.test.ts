import { expect, test } from "vitest";
import { transportFrozen } from "../faults/matrix/transport-frozen.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on when the transport is frozen, and finds the one that replaces it", async (context) => {
  const outcome = await befall(context, transportFrozen);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.endPath).toBe("webtransport");
});
