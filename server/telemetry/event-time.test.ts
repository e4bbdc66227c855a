import { expect, test } from "vitest";
import { eventTimeProblem } from "./event-time.ts";

const NOW_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;

test.each([
  ["now", 0, null],
  ["a clock a day ahead", DAY_MS, null],
  ["what a browser kept for a month", -31 * DAY_MS, null],
  ["a clock further ahead", 3 * DAY_MS, "ts is 3 days ahead of this server's clock: 1 is the most"],
  ["what is older", -40 * DAY_MS, "ts is 40 days behind this server's clock: 31 are the most"],
])("%s", (_what, aheadMs, sentence) => {
  expect(eventTimeProblem(NOW_MS + aheadMs, NOW_MS)).toBe(sentence);
});
