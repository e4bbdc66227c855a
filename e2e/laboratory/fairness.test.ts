import { expect, test } from "vitest";
import { runFairness, shareBins } from "./fairness.ts";
import { sampleFlow, samplePlan, sampleResult } from "./samples.ts";

const FLOWS = [sampleFlow(), sampleFlow({ startSeconds: 1, stopSeconds: 3 })];
const PLAN = samplePlan({ durationSeconds: 4, arm: { name: "two", flows: FLOWS } });
const { intervals } = sampleResult(PLAN, [6, 18], 20);

test("the index is taken while all flows are there", () => {
  // 6 and 18 Mbit/s: (24)^2 / (2 * (36 + 324)) = 0.8
  expect(runFairness(PLAN, intervals)).toEqual({ jain: 0.8, shares: [0.25, 0.75] });
});

test("one flow, or flows that never meet, share nothing", () => {
  const alone = samplePlan();
  expect(runFairness(alone, sampleResult(alone, [6], 20).intervals).jain).toBeNull();
  const apart = [sampleFlow({ stopSeconds: 1 }), sampleFlow({ startSeconds: 1 })];
  expect(runFairness({ ...PLAN, arm: { name: "two", flows: apart } }, intervals)).toEqual({
    jain: null,
    shares: [null, null],
  });
});

test("second by second, over the flows that are active", () => {
  expect(shareBins(PLAN, intervals)).toEqual([
    { timeSeconds: 0, bitsPerSecond: [6e6, null], jain: null },
    { timeSeconds: 1, bitsPerSecond: [6e6, 18e6], jain: 0.8 },
    { timeSeconds: 2, bitsPerSecond: [6e6, 18e6], jain: 0.8 },
    { timeSeconds: 3, bitsPerSecond: [6e6, null], jain: null },
  ]);
});

test("only the last 30 s count", () => {
  const long = samplePlan({ durationSeconds: 40, arm: { name: "two", flows: [sampleFlow(), sampleFlow()] } });
  const steady = sampleResult(long, [12, 12], 20).intervals;
  const [first, second] = steady.flows as [(typeof steady.flows)[number], (typeof steady.flows)[number]];
  const late = second.deliveredBitsPerSecond.map((rate, index) => (index < 100 ? 0 : rate));
  const flows = [first, { ...second, deliveredBitsPerSecond: late }];
  expect(runFairness(long, { ...steady, flows }).jain).toBeCloseTo(1, 12);
});
