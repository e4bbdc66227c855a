import { describe, expect, it } from "vitest";
import { type PlanInput, planRungs } from "./plan.ts";

/** Two rungs of 1 and 3; they take 1 and 3 s of a segment's 2; a stall costs 10 a second. */
const input = (changes: Partial<PlanInput> = {}): PlanInput => ({
  quality: [
    [1, 3],
    [1, 3],
  ],
  downloadSeconds: [[[1, 3]]],
  scenarioWeights: [1],
  segmentSeconds: 2,
  bufferSeconds: 4,
  reachableBufferSeconds: [16, 16],
  previousQuality: 1,
  stallCostPerSecond: 10,
  riseCost: 1,
  fallCost: 1,
  reserveSeconds: 0,
  reserveCostPerSecond: 0,
  endWorth: () => 0,
  ...changes,
});
const worths = (changes: Partial<PlanInput> = {}): number[] =>
  planRungs(input(changes)).map(({ worth }) => worth);

describe("a plan of one segment", () => {
  it("is worth its quality without the change", () => {
    expect(worths()).toEqual([1, 1]); // 3 - |3 - 1|
    expect(worths({ previousQuality: null })).toEqual([1, 3]);
  });

  it("pays for a rise and a fall what each of them costs", () => {
    const costs = { riseCost: -0.5, fallCost: 2 };
    expect(worths({ ...costs, previousQuality: 2 })).toEqual([1 - 2, 3 + 0.5]);
  });

  it("pays for a stall", () => {
    expect(worths({ bufferSeconds: 2.5, previousQuality: 3 })).toEqual([1 - 2, 3 - 10 * 0.5]);
    expect(planRungs(input({ bufferSeconds: 2.5 }))[1]).toMatchObject({
      stallSeconds: 0.5,
      bufferAfterSeconds: 2,
    });
  });

  it("pays for what it takes of the reserve, and is paid for what it leaves", () => {
    // Of 4 s are left 3 and 1 when the segment has come: of a reserve of 5 s lack 2 and 4, that is 4 / 5 and 16 / 5.
    const reserve = { reserveSeconds: 5, reserveCostPerSecond: 2, previousQuality: null };
    const [first = 0, second = 0] = worths(reserve);
    expect(first).toBeCloseTo(1 - 8 / 5, 12);
    expect(second).toBeCloseTo(3 - 32 / 5, 12);
    // Then 5 and 3.
    const [low = 0, high = 0] = worths({ previousQuality: null, endWorth: (buffer) => buffer });
    expect(low).toBeCloseTo(1 + 5, 9);
    expect(high).toBeCloseTo(3 + 3, 9);
  });

  it("is the mean over its scenarios", () => {
    const two = {
      downloadSeconds: [[[1, 3]], [[1, 5]]],
      scenarioWeights: [0.75, 0.25],
      previousQuality: null,
    };
    expect(worths(two)).toEqual([1, 3 - 0.25 * 10]);
  });
});

describe("a plan of several segments", () => {
  it("may change rung where that earns more", () => {
    // The first step is slow, the second fast: low now and high after, 1 + 3 - 2.
    const steps = [
      [1, 9],
      [0.1, 0.2],
    ];
    expect(worths({ downloadSeconds: [steps] })[0]).toBeCloseTo(2, 9);
  });

  it("knows what each segment gains", () => {
    // The second segment gains nothing in the upper rung, and 5 in the lower: low twice, 1 + 5 - 4.
    const steps = [
      [0.1, 0.1],
      [0.1, 0.1],
    ];
    const quality = [
      [1, 3],
      [5, 3],
    ];
    const [low = 0, high = 0] = worths({ downloadSeconds: [steps], quality, previousQuality: null });
    expect(low).toBeCloseTo(1 + 3 - 2, 9); // low, then high: a change of 2 instead of 4
    expect(high).toBeCloseTo(3 + 3, 9);
  });

  it("asks when there is room for a segment of its rung, and has no more buffered by then", () => {
    const behindTop = { bufferSeconds: 26, reachableBufferSeconds: [16, 28], downloadSeconds: [[[3, 3]]] };
    const [low, high] = planRungs(input({ ...behindTop, endWorth: (buffer) => buffer }));
    // Below the top rung nothing is asked for before 10 s are played: of 16 s are left 13, and 2 come.
    expect(low?.bufferAfterSeconds).toBe(15);
    expect(high?.bufferAfterSeconds).toBe(25);
    expect(low?.worth).toBeCloseTo(1 + 15, 9);
    expect(high?.worth).toBeCloseTo(3 - 2 + 25, 9);
    const short = planRungs(input({ ...behindTop, downloadSeconds: [[[1, 1]]], bufferSeconds: 28 }));
    expect(short.map(({ bufferAfterSeconds }) => bufferAfterSeconds)).toEqual([16, 28]);
  });

  it("stalls where a download takes longer than what is buffered when it begins", () => {
    const slow = { bufferSeconds: 26, reachableBufferSeconds: [16, 28], downloadSeconds: [[[20, 20]]] };
    expect(planRungs(input(slow)).map(({ stallSeconds }) => stallSeconds)).toEqual([4, 0]);
  });

  it("counts on no more in its later steps", () => {
    // Behind the top rung are 28 s; a download of 20 s stalls for 4 s where the lower rung lets only 16 s be there.
    const steps = [
      [1, 1],
      [20, 20],
    ];
    const [, high = 0] = worths({
      bufferSeconds: 28,
      reachableBufferSeconds: [16, 28],
      downloadSeconds: [steps],
      previousQuality: 3,
      quality: [
        [1, 3],
        [3, 1],
      ],
    });
    expect(high).toBeCloseTo(3 + 1 - 2, 6); // the top rung again, though the lower is worth more: 3 - 4 * 10
  });
});
