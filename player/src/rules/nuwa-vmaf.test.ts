import { expect, it } from "vitest";
import { LADDER, madeContext, madeDownload, steady } from "./made-context.ts";
import { nuwaLog } from "./nuwa-log.ts";
import { nuwaVmaf } from "./nuwa-vmaf.ts";
import { VMAF } from "./objective.ts";

/** A film that looks as good from the third rung on as in the highest. */
const FLAT = [40, 70, 95, 95, 95, 95].map((vmaf) => [vmaf]);
/** One that gains with each rung. */
const STEEP = [10, 25, 40, 60, 80, 98].map((vmaf) => [vmaf]);
const context = { outlook: steady(9), currentIndex: 2, bufferSeconds: 14 };

it("takes no more bits than show", () => {
  expect(nuwaVmaf.decide(madeContext({ ...context, segmentVmaf: FLAT })).index).toBe(2);
  expect(nuwaVmaf.decide(madeContext({ ...context, segmentVmaf: STEEP })).index).toBeGreaterThan(2);
});

it("looks at the very segment: one that gains is fetched in a higher rung than its neighbours", () => {
  const gainsNow = STEEP.map(([now = 0], rung) => [now, ...Array<number>(5).fill(FLAT[rung]?.[0] ?? 0)]);
  const index = nuwaVmaf.decide(madeContext({ ...context, segmentVmaf: gainsNow })).index;
  expect(index).toBeGreaterThan(nuwaVmaf.decide(madeContext({ ...context, segmentVmaf: FLAT })).index);
});

it("counts changes from the segment before, which looked as it did", () => {
  const at = { currentIndex: 2, segmentVmaf: STEEP };
  expect(VMAF.qualityBefore(2, madeContext({ ...at, previousVmaf: 90 }))).toBe(90);
  expect(VMAF.qualityBefore(2, madeContext(at))).toBe(40);
});

it("pays for rises and falls as QoE_VMAF does", () => {
  expect([VMAF.riseCost, VMAF.fallCost]).toEqual([-0.2979 / 0.8469, 1.061 / 0.8469]);
});

it("plans for QoE_log where VMAF is not known, and says so", () => {
  const { index, reason } = nuwaVmaf.decide(madeContext(context));
  expect(index).toBe(nuwaLog.decide(madeContext(context)).index);
  expect(reason.why).toBe("plan; no VMAF of this film: QoE_log");
  expect(nuwaVmaf.abandon(madeDownload())).toEqual(nuwaLog.abandon(madeDownload()));
});

it("gives a download up for a rung that looks nearly as good", () => {
  expect(nuwaVmaf.abandon(madeDownload({ segmentVmaf: FLAT }))?.index).toBeLessThanOrEqual(2);
});

it("takes a rate between two rungs for the logarithm between them", () => {
  const [low = 0, high = 0] = [LADDER[0], LADDER[1]];
  const at = (bitsPerSecond: number) => VMAF.qualityAt(bitsPerSecond, madeContext({ segmentVmaf: FLAT }));
  expect(at(Math.sqrt(low * high))).toBeCloseTo((40 + 70) / 2, 9);
  expect([at(low), at(high), at(LADDER[5])]).toEqual([40, 70, 95]);
});
