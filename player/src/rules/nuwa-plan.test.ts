import { describe, expect, it, test } from "vitest";
import { downloadSeconds } from "./download-errors.ts";
import { madeContext, madeDownload, steady } from "./made-context.ts";
import { makeAbandon } from "./nuwa-abandon.ts";
import type { NuwaParameters } from "./nuwa-parameters.ts";
import { planInput } from "./nuwa-plan.ts";
import type { Objective } from "./objective.ts";
import type { PlanInput } from "./plan.ts";
import type { DownloadContext, RuleContext } from "./rule.ts";

/** Other than NuwaRule's own, which may change. */
const PARAMETERS: NuwaParameters = {
  horizonSegments: 3,
  relaxationSeconds: 4,
  steadySpread: 0,
  spreadPerVariation: 0,
  usualWeight: 1,
  errorPersistence: 0.5,
  stallWeight: 2,
  switchWeight: 1.5,
  reserveShare: 0.5,
  reserveWeight: 0.25,
  endWeight: 0.2,
};
/** In Mbit/s. */
const OBJECTIVE: Objective = {
  qualities: ({ ladderBitsPerSecond }, steps) =>
    Array.from({ length: steps }, () => ladderBitsPerSecond.map((rung) => rung / 1e6)),
  qualityAt: (bitsPerSecond) => bitsPerSecond / 1e6,
  qualityBefore: (rung, { ladderBitsPerSecond }) => (ladderBitsPerSecond[rung] ?? 0) / 1e6,
  stallCostPerSecond: 10,
  riseCost: 1,
  fallCost: 2,
};
const FALLING = { ...steady(8), sustainedBitsPerSecond: 2e6 };

/** Two rungs of 1 and 4 Mbit/s over a link of 5, where nothing else is said. */
function planned(changes: Partial<RuleContext> = {}, logErrors: readonly number[] = [0]): PlanInput {
  const context = madeContext({
    ladderBitsPerSecond: [1e6, 4e6],
    currentIndex: 1,
    reachableBufferSeconds: [18, 28],
    roundTripSeconds: 0,
    ...changes,
  });
  const likely = logErrors.map((logError) => ({ logError, weight: 1 / logErrors.length }));
  return planInput(context, context.outlook ?? steady(5), likely, PARAMETERS, OBJECTIVE);
}
/** Of the only scenario. */
const times = (changes: Partial<RuleContext> = {}, logError = 0): readonly (readonly number[])[] =>
  planned(changes, [logError]).downloadSeconds[0] ?? [];

describe("the time that a segment takes", () => {
  it("is that of its bits and of the sound beside it, after a round trip", () => {
    // 2 + 1 Mbit and 8 + 1 Mbit at 5 Mbit/s.
    const [first = []] = times({ roundTripSeconds: 0.1, otherBitsPerSecond: 0.5e6 });
    expect(first[0]).toBeCloseTo(0.1 + 3 / 5, 12);
    expect(first[1]).toBeCloseTo(0.1 + 9 / 5, 12);
  });

  it("is as much longer as the forecast is likely to be wrong, and by less a step later", () => {
    const slower = times({}, -Math.log(4)).map(([time = 0]) => time);
    [4, 2, Math.SQRT2].forEach((factor, step) => {
      expect(slower[step]).toBeCloseTo((factor * 2) / 5, 12);
    });
  });

  it("follows the forecast from step to step", () => {
    const steps = times({ outlook: FALLING });
    [0, 2, 4].forEach((aheadSeconds, step) => {
      expect(steps[step]?.[0]).toBeCloseTo(downloadSeconds(FALLING, 2e6, aheadSeconds, 4), 12);
    });
    expect(steps[2]?.[0]).toBeGreaterThan(1.5 * (steps[0]?.[0] ?? 0));
  });

  it("is longer for a queue of more than twice its target, in the first step alone", () => {
    const queued = times({ queueingDelaySeconds: 0.3, targetDelaySeconds: 0.1 }).map(([time]) => time);
    expect(queued[0]).toBeCloseTo((1.1 * 2) / 5, 12); // a target too much
    expect(queued.slice(1)).toEqual([2 / 5, 2 / 5]);
    expect(times({ queueingDelaySeconds: 0.2, targetDelaySeconds: 0.1 })[0]?.[0]).toBe(2 / 5);
  });

  it("is that of each scenario, with its weight", () => {
    const { downloadSeconds: scenarios, scenarioWeights } = planned({}, [0, Math.log(2)]);
    expect(scenarios.map(([first]) => first?.[0])).toEqual([2 / 5, 1 / 5]);
    expect(scenarioWeights).toEqual([0.5, 0.5]);
  });
});

describe("a plan", () => {
  it("is as long as its horizon, and no longer than the film", () => {
    expect(planned({ remainingSegments: null }).quality).toHaveLength(3);
    expect(planned({ remainingSegments: 2 }).quality).toEqual([
      [1, 4],
      [1, 4],
    ]);
    expect(times({ remainingSegments: 2 })).toHaveLength(2);
  });

  test.each([
    [1, 20],
    [2, 20],
    [10, 100],
  ])("of segments of %d s takes a second of stall to cost %d", (segmentSeconds, stallCostPerSecond) => {
    expect(planned({ segmentSeconds }).stallCostPerSecond).toBe(stallCostPerSecond);
  });

  it("counts changes from the segment before, and what it lacks of its reserve", () => {
    expect(planned()).toMatchObject({ previousQuality: 4, riseCost: 1.5, fallCost: 3, reserveSeconds: 9 });
    expect(planned({ currentIndex: null }).previousQuality).toBeNull();
  });

  it.each([
    [2, 9],
    [18, 9],
    [20, 8],
    [40, 0],
  ])(
    "with segments of %d s keeps a reserve of %d s, as their download leaves one",
    (segmentSeconds, seconds) => {
      expect(planned({ segmentSeconds }).reserveSeconds).toBe(seconds);
    },
  );

  it.each([2, 10])("lacks no dearer reserve with segments of %d s", (segmentSeconds) => {
    expect(planned({ segmentSeconds }).reserveCostPerSecond).toBe(5);
  });
});

describe("the buffer at a plan's end", () => {
  // A fifth of what can be fetched with it at the rate that the forecast sees 6 s ahead, in the mean of ever less.
  const worth = (changes: Partial<RuleContext>, bufferSeconds: number) =>
    planned(changes).endWorth(bufferSeconds);

  it("is worth what it lets be fetched, and less for each second the fuller it is", () => {
    const changes = { outlook: FALLING };
    const sustained = 2 + 6 * Math.exp(-6 / 4);
    expect(worth(changes, 0)).toBe(0);
    expect(worth(changes, 5)).toBeCloseTo(((0.2 * sustained) / 2) * 10 * (1 - Math.exp(-0.5)), 12);
    expect(worth(changes, 20)).toBeCloseTo(((0.2 * sustained) / 2) * 10 * (1 - Math.exp(-2)), 12);
  });

  test.each([
    [0.1, 1],
    [100, 4],
  ])("is worth what the film has of a rate of %d Mbit/s: %d", (megabitsPerSecond, quality) => {
    const found = worth({ outlook: steady(megabitsPerSecond) }, 10);
    expect(found).toBeCloseTo(((0.2 * quality) / 2) * 10 * (1 - Math.exp(-1)), 12);
  });

  it("is worth nothing where the film ends with it", () => {
    expect(worth({ remainingSegments: 3 }, 10)).toBe(0);
    expect(worth({ remainingSegments: 4 }, 10)).toBeGreaterThan(0);
    expect(worth({ remainingSegments: null }, 10)).toBeGreaterThan(0);
  });
});

describe("a download of 10 Mbit that stalls at 1 Mbit/s, beside one of 2 Mbit", () => {
  const abandon = makeAbandon(OBJECTIVE, { ...PARAMETERS, stallWeight: 100 });
  const decided = (missingBits: number, totalBits: number, changes: Partial<DownloadContext> = {}) =>
    abandon(
      madeDownload({
        ladderBitsPerSecond: [1e6, 5e6],
        index: 1,
        previousIndex: 1,
        bufferSeconds: 0,
        totalBytes: totalBits / 8,
        loadedBytes: (totalBits - missingBits) / 8,
        ...changes,
      }),
    );

  it("is given up where that saves a fifth of what is missing", () => {
    expect(decided(2.4e6, 10e6)).toBeNull(); // 0.8 of it are 1.92 Mbit
    expect(decided(2.6e6, 10e6)?.index).toBe(0); // 2.08 Mbit
  });

  it("is held against a replacement that is as hard to encode", () => {
    // A scene of twice its nominal size: 4 Mbit in the lower rung.
    expect(decided(4.8e6, 20e6)).toBeNull(); // 3.84 Mbit
    const decision = decided(5.2e6, 20e6); // 4.16 Mbit
    expect(decision?.index).toBe(0);
    expect(decision?.reason.replacementSeconds).toBeCloseTo(0.05 + 4, 12);
  });
});
