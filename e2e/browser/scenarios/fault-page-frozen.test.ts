import { expect, test } from "vitest";
import { pageFrozen } from "../faults/matrix/page-frozen.ts";
import { befall, NO_STALL_SECONDS } from "./fault.ts";

test("the film goes on after the browser froze its page", async (context) => {
  const outcome = await befall(context, pageFrozen);
  expect(outcome.stalledSeconds).toBeLessThan(NO_STALL_SECONDS);
  expect(outcome.isPlayingAtEnd).toBe(true);
  expect(outcome.endPath).toBe("webtransport");
});
