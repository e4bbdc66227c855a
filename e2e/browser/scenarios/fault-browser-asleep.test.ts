import { expect, test } from "vitest";
import { browserAsleep } from "../faults/matrix/browser-asleep.ts";
import { befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on after the browser slept", async (context) => {
  const outcome = await befall(context, browserAsleep);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.isPlayingAtEnd).toBe(true);
  expect(outcome.endPath).toBe("webtransport");
});
