import { expect, test } from "vitest";
import { killRestart } from "../faults/matrix/kill-restart.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on when the transport is killed, and finds the one that is started in its place", async (context) => {
  const outcome = await befall(context, killRestart);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.endPath).toBe("webtransport");
});
