import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linearQoe } from "../qoe/linear-qoe.ts";
import { LADDER, madeContext, steady } from "./made-context.ts";
import { largestError, robustMpc } from "./robust-mpc.ts";
import type { RuleContext } from "./rule.ts";

const context = (changes: Partial<RuleContext>): RuleContext =>
  madeContext({
    ladderBitsPerSecond: [1e6, 2e6, 4e6],
    currentIndex: 0,
    bufferSeconds: 10,
    reachableBufferSeconds: [18, 18, 28],
    segmentThroughputsBitsPerSecond: [3e6],
    roundTripSeconds: 0,
    ...changes,
  });
/** For LADDER. */
const REACHABLE = [16, 16, 16, 16, 16, 28];
const chosen = (changes: Partial<RuleContext>): number => robustMpc.decide(context(changes)).index;

describe("the rate that is counted on", () => {
  it("is the harmonic mean, and the error how much it missed by", () => {
    // Predictions: of 4: none. Of 2: 4, an error of 1. Of 4: 2 / (1/4 + 1/2) = 8/3, an error of 1/3.
    expect(largestError([4e6, 2e6])).toBeCloseTo(1, 12);
    expect(largestError([4e6, 2e6, 4e6])).toBeCloseTo(1, 12);
    // 3 / (1/4 + 1/2 + 1/4) = 3.
    expect(
      robustMpc.decide(context({ segmentThroughputsBitsPerSecond: [4e6, 2e6, 4e6] })).reason,
    ).toMatchObject({
      predictedBitsPerSecond: 3e6,
      largestError: 1,
    });
  });

  it("forgets errors and throughputs after five segments", () => {
    expect(largestError([9e6, 2e6, 2e6, 2e6, 2e6, 2e6, 2e6, 2e6, 2e6, 2e6, 2e6])).toBeCloseTo(0, 12);
    // The prediction of the fifth of them has the fast one in it, that of the sixth has not.
    expect(largestError([9e6, 2e6, 2e6, 2e6, 2e6, 2e6, 2e6])).toBeGreaterThan(0.1);
  });

  it("is the estimate before the first segment, and without one the rung stays", () => {
    const outlook = steady(30);
    expect(chosen({ segmentThroughputsBitsPerSecond: [], outlook })).toBe(2);
    expect(chosen({ segmentThroughputsBitsPerSecond: [], currentIndex: 1 })).toBe(1);
    expect(chosen({ segmentThroughputsBitsPerSecond: [], currentIndex: null })).toBe(0);
  });
});

describe("the plan", () => {
  // At 2 Mbit/s the highest takes 4 s and eats 2 s of buffer each time: 12 s last for five. That earns 5 * 4 - 3.
  it("spends a buffer that lasts", () => {
    expect(chosen({ segmentThroughputsBitsPerSecond: [2e6], bufferSeconds: 12 })).toBe(2);
  });

  // From 1 s a step to 2 Mbit/s (2 s to fetch) stalls for 1 s, -4.3; staying at 1 fills the buffer first.
  it("does not stall for a step up", () => {
    expect(chosen({ segmentThroughputsBitsPerSecond: [2e6], bufferSeconds: 1 })).toBe(0);
  });

  it("falls where the rung would stall by more than the fall costs", () => {
    // At 1 Mbit/s the highest takes 8 s: from 4 s of buffer a stall of 4 s, -17.2. One of 2 Mbit/s takes just 4 s, and
    // four of 1 Mbit/s then fill the buffer as fast as it is played: 2 + 4 - 3, where five of 1 earn 5 - 3.
    expect(chosen({ segmentThroughputsBitsPerSecond: [1e6], currentIndex: 2, bufferSeconds: 4 })).toBe(1);
  });

  it("counts on less after an error", () => {
    const bufferSeconds = 2.5;
    expect(chosen({ segmentThroughputsBitsPerSecond: [4e6, 4e6, 4e6], bufferSeconds })).toBe(2);
    expect(chosen({ segmentThroughputsBitsPerSecond: [8e6, 2e6, 8e6, 8e6], bufferSeconds })).toBeLessThan(2);
  });

  it("adds no round trip: what segments took has one in it", () => {
    // Just as in "spends a buffer that lasts", where a round trip more a segment would stall the fifth.
    expect(chosen({ segmentThroughputsBitsPerSecond: [2e6], bufferSeconds: 12, roundTripSeconds: 2 })).toBe(
      2,
    );
  });

  it("ends with the film", () => {
    // At 2 Mbit/s the highest takes 4 s: two of them last in 6 s of buffer, five do not.
    const changes = { segmentThroughputsBitsPerSecond: [2e6], bufferSeconds: 6, currentIndex: 1 };
    expect(chosen({ ...changes, remainingSegments: 2 })).toBe(2);
    expect(chosen({ ...changes, remainingSegments: null })).toBe(1);
  });

  it("has all that is buffered behind the top rung, and below it what fetching waits for", () => {
    // At 1 Mbit/s the highest takes 8 s and eats 6 s of buffer: 28 s last for four, and the fifth stalls for 4 s.
    const changes = { segmentThroughputsBitsPerSecond: [1e6], bufferSeconds: 28 };
    expect(chosen({ ...changes, currentIndex: 2 })).toBe(2);
    // At 0.2 Mbit/s the last segment takes 20 s in 2 Mbit/s: with 28 s, but not before no more than 18 are left.
    const last = {
      ...changes,
      segmentThroughputsBitsPerSecond: [0.2e6],
      remainingSegments: 1,
      currentIndex: 1,
    };
    expect(chosen({ ...last, reachableBufferSeconds: [18, 18, 28] })).toBe(0);
    expect(chosen({ ...last, reachableBufferSeconds: [20, 20, 28] })).toBe(1);
  });

  it("weighs segments as the film's have weighed", () => {
    // At 2 Mbit/s from 1 s of buffer a step to 2 Mbit/s takes 2 s by its bitrate, and 1 s where segments weigh half.
    const changes = { segmentThroughputsBitsPerSecond: [2e6], bufferSeconds: 1 };
    expect(chosen({ ...changes, segmentBits: [[1e6], [2e6], [4e6]] })).toBe(1);
  });

  it("fetches the sound along", () => {
    // At 2 Mbit/s the film's last 8 Mbit take the 4 s that are buffered. With 4 Mbit of sound that is the time of a
    // segment of 2 Mbit/s, and the highest stalls for 2 s.
    const last = { segmentThroughputsBitsPerSecond: [2e6], bufferSeconds: 4, remainingSegments: 1 };
    expect(chosen({ ...last, currentIndex: 2 })).toBe(2);
    expect(chosen({ ...last, currentIndex: 2, otherBitsPerSecond: 2e6 })).toBe(1);
  });

  it("begins one that no other of all 7,776 plans beats", () => {
    fc.assert(
      fc.property(
        fc.record({
          currentIndex: fc.nat(5),
          bufferSeconds: fc.double({ min: 0, max: 28, noNaN: true }),
          segmentThroughputsBitsPerSecond: fc.tuple(fc.double({ min: 2e5, max: 2e7, noNaN: true })),
        }),
        (changes) => {
          const seen = context({
            ...changes,
            ladderBitsPerSecond: LADDER,
            reachableBufferSeconds: REACHABLE,
          });
          const earned = LADDER.map((_, first) => bestBeginningWith(seen, first));
          expect(earned[robustMpc.decide(seen).index]).toBeCloseTo(Math.max(...earned), 9);
        },
      ),
      { numRuns: 20 },
    );
  });
});

/** QoE_lin of the best of all plans that begin so, each played by itself. */
function bestBeginningWith(
  { currentIndex, bufferSeconds, segmentThroughputsBitsPerSecond }: RuleContext,
  first: number,
) {
  const rate = segmentThroughputsBitsPerSecond[0] ?? Number.NaN;
  const present = (LADDER[currentIndex ?? 0] ?? Number.NaN) / 1e6;
  let best = Number.NEGATIVE_INFINITY;
  for (let code = 0; code < 6 ** 4; code++) {
    const rungs = [first, ...[0, 1, 2, 3].map((place) => Math.floor(code / 6 ** place) % 6)];
    let buffer = bufferSeconds;
    let stall = 0;
    for (const rung of rungs) {
      const seconds = (2 * (LADDER[rung] ?? Number.NaN)) / rate;
      const reachable = REACHABLE[rung] ?? Number.NaN;
      buffer = Math.min(reachable, buffer);
      stall += Math.max(0, seconds - buffer);
      buffer = Math.min(reachable, Math.max(0, buffer - seconds) + 2);
    }
    const planned = rungs.map((rung) => (LADDER[rung] ?? Number.NaN) / 1e6);
    // The present rung is part of the changes, and no part of what is earned.
    const qoe = linearQoe({ segmentMegabitsPerSecond: [present, ...planned], rebufferSeconds: stall });
    best = Math.max(best, (qoe?.total ?? Number.NaN) - present);
  }
  return best;
}
