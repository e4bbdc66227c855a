import { expect, test } from "vitest";
import { networkGone } from "../faults/matrix/network-gone.ts";
import { BYTES_WITHIN_SECONDS, befall, NO_STALL_SECONDS } from "./fault.ts";

/** What a stall may take beyond the time that the network was away and the buffer did not cover. */
const BEYOND_SECONDS = 2;

test("the film stands no longer than the network was away, less what was buffered", async (context) => {
  const outcome = await befall(context, networkGone);
  expect(outcome.stalledSeconds).toBeLessThan(BEYOND_SECONDS + NO_STALL_SECONDS);
  expect(outcome.bytesAfterSeconds).toBeLessThan(BYTES_WITHIN_SECONDS);
  expect(outcome.isPlayingAtEnd).toBe(true);
  expect(outcome.endPath).toBe("webtransport");
});
