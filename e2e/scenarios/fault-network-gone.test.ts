import { expect, test } from "vitest";
import { networkGone } from "../faults/matrix/network-gone.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film stands no longer than the network was away, less what was buffered", async (context) => {
  const outcome = await befall(context, networkGone);
  const { lastsSeconds = 0 } = networkGone;
  const inevitable = Math.max(0, lastsSeconds - outcome.bufferAtStrikeSeconds);
  expect(outcome.stalledSeconds).toBeLessThan(inevitable + 2 + NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(lastsSeconds + BYTES_WITHIN_SECONDS);
  expect(outcome.isPlayingAtEnd).toBe(true);
  expect(outcome.endPath).toBe("webtransport");
});
