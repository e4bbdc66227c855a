import { expect, test, vi } from "vitest";
import { NO_TESTS } from "./counts.ts";
import { NO_MISHAPS } from "./mishaps.ts";
import { runStage, type Stage, summary } from "./stage.ts";

test("a stage that fails without a failing test counts as one", async () => {
  const result = await runStage({ title: "checks", run: async () => 1 });
  expect([result.outcome, result.counts]).toEqual(["failed", { ...NO_TESTS, failed: 1 }]);
});

test("a stage that is left out runs nothing, and has neither passed nor failed", async () => {
  const run = vi.fn<Stage["run"]>();
  const result = await runStage({ title: "training", whyLeftOut: "since it is not set up", run });
  expect([result.outcome, result.counts]).toEqual(["left out", NO_TESTS]);
  expect(run).not.toHaveBeenCalled();
});

test("the failures that a stage counted are not counted twice", async () => {
  const counts = { passed: 3, failed: 2, skipped: 0 };
  expect((await runStage({ title: "tests", run: async () => 1, counts: () => counts })).counts).toEqual(
    counts,
  );
});

test("the end names what failed, and how long each took", () => {
  const result = { counts: NO_TESTS, mishaps: NO_MISHAPS, seconds: 12.34 };
  expect(
    summary([
      { ...result, title: "set-up", outcome: "passed" },
      { ...result, title: "checks", outcome: "failed" },
      { ...result, title: "training", outcome: "left out" },
    ]),
  ).toBe(
    "\nset-up      12.3 s  passed\nchecks      12.3 s  failed\ntraining    12.3 s  left out\nfailed: checks\n",
  );
});

test("the end names the tests that failed, and those that passed only when they ran again", () => {
  const result = { title: "films", outcome: "failed" as const, counts: NO_TESTS, seconds: 1 };
  expect(summary([{ ...result, mishaps: { failed: ["a: why"], passedAgain: ["b: late"] } }])).toBe(
    "\nfilms     1.0 s  failed\npassed at the second attempt: b: late\nfailed test: a: why\nfailed: films\n",
  );
});
