import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { BandwidthOutlook } from "./bandwidth-outlook.ts";
import { chooseRepresentation, safetyFactor } from "./nuwa.ts";
import type { RuleContext } from "./rule.ts";

const LADDER = [0.3e6, 0.7e6, 1.5e6, 2.8e6, 5e6, 8e6];

const steady = (megabitsPerSecond: number): BandwidthOutlook => ({
  nowBitsPerSecond: megabitsPerSecond * 1e6,
  sustainedBitsPerSecond: megabitsPerSecond * 1e6,
  variation: 0,
});

function input(changes: Partial<RuleContext>): RuleContext {
  return {
    ladderBitsPerSecond: LADDER,
    currentIndex: 3,
    segmentSeconds: 2,
    bufferSeconds: 12,
    bufferTargetSeconds: 18,
    outlook: steady(6),
    segmentThroughputsBitsPerSecond: [],
    queueingDelaySeconds: 0.04,
    targetDelaySeconds: 0.04,
    roundTripSeconds: 0.05,
    otherBitsPerSecond: 0.128e6,
    ...changes,
  };
}

const chosen = (changes: Partial<RuleContext>): number => chooseRepresentation(input(changes)).index;

/** Plays segments over a link of a constant rate, from a short buffer and a low rung. */
function playSteady(megabitsPerSecond: number, segments: number) {
  let bufferSeconds = 4;
  let currentIndex = 1;
  let switches = 0;
  let stallSeconds = 0;
  let megabits = 0;
  for (let segment = 0; segment < segments; segment++) {
    const index = chosen({ outlook: steady(megabitsPerSecond), currentIndex, bufferSeconds });
    switches += index === currentIndex ? 0 : 1;
    currentIndex = index;
    const bitsPerSecond = LADDER[index] ?? 0;
    const seconds = 0.05 + (2 * (bitsPerSecond + 0.128e6)) / (megabitsPerSecond * 1e6);
    stallSeconds += Math.max(0, seconds - bufferSeconds);
    bufferSeconds = Math.min(18, Math.max(0, bufferSeconds - seconds) + 2);
    megabits += (2 * bitsPerSecond) / 1e6;
  }
  return { meanMegabitsPerSecond: megabits / (2 * segments), switches, stallSeconds };
}

describe("a steady link", () => {
  // The highest rung r with r + 0.128 Mbit/s of audio below the rate, of the ladder 0.3 0.7 1.5 2.8 5 8.
  test.each([
    [0.5, 0.3],
    [1.0, 0.7],
    [2.0, 1.5],
    [3.5, 2.8],
    [6.0, 5],
    [10, 8],
    [200, 8],
  ])("of %d Mbit/s is used: at least rung %d on average, few switches, no stall", (rate, sustainable) => {
    const { meanMegabitsPerSecond, switches, stallSeconds } = playSteady(rate, 60);
    expect(meanMegabitsPerSecond).toBeGreaterThanOrEqual(0.93 * sustainable);
    expect(meanMegabitsPerSecond).toBeLessThanOrEqual(rate);
    expect(switches).toBeLessThanOrEqual(12);
    expect(stallSeconds).toBe(0);
  });
});

describe("start-up", () => {
  it("stays where it is while nothing was measured", () => {
    expect(chooseRepresentation(input({ outlook: null, currentIndex: 1 }))).toMatchObject({
      index: 1,
      reason: { why: "no estimate yet", bandwidthBitsPerSecond: null, safety: null },
    });
    expect(chosen({ outlook: null, currentIndex: null })).toBe(0);
  });

  it("takes the first rung from the estimate, modestly while the buffer is empty", () => {
    const first = chosen({ currentIndex: null, bufferSeconds: 0, outlook: steady(20) });
    expect(first).toBeGreaterThanOrEqual(2);
    expect(chosen({ currentIndex: null, bufferSeconds: 0, outlook: steady(1) })).toBeLessThanOrEqual(1);
  });
});

describe("a collapse of the estimate", () => {
  const collapsed: BandwidthOutlook = {
    nowBitsPerSecond: 0.3e6,
    sustainedBitsPerSecond: 1e6,
    variation: 0.8,
  };

  it("brings the rung down at once when the buffer is short", () => {
    expect(chosen({ currentIndex: 5, bufferSeconds: 4, outlook: collapsed })).toBe(0);
  });

  it("is ridden out by a full buffer better than by a short one", () => {
    const brief: BandwidthOutlook = { nowBitsPerSecond: 1e6, sustainedBitsPerSecond: 6e6, variation: 0.3 };
    const short = chosen({ currentIndex: 4, bufferSeconds: 3, outlook: brief });
    const full = chosen({ currentIndex: 4, bufferSeconds: 18, outlook: brief });
    expect(short).toBeLessThan(full);
  });
});

describe("a switch", () => {
  it("up is not made for a gain within the noise of the estimate", () => {
    // Rung 4 takes 5.128 Mbit/s with its audio: more than 0.97 of 5.2 Mbit/s, so it would eat the buffer.
    expect(chosen({ currentIndex: 3, outlook: steady(5.2), bufferSeconds: 6 })).toBe(3);
  });

  it("is not made back and forth while the estimate wavers about a rung", () => {
    let currentIndex = 3;
    let switches = 0;
    for (let segment = 0; segment < 40; segment++) {
      const outlook = {
        ...steady(segment % 2 === 0 ? 4.7 : 5.7),
        sustainedBitsPerSecond: 5.2e6,
        variation: 0.1,
      };
      const next = chosen({ currentIndex, outlook, bufferSeconds: 14 });
      switches += next === currentIndex ? 0 : 1;
      currentIndex = next;
    }
    expect(switches).toBeLessThanOrEqual(2);
  });
});

describe("caution", () => {
  const outlook = (variation: number): BandwidthOutlook => ({ ...steady(6), variation });
  const factor = (changes: Partial<RuleContext>, variation: number): number =>
    safetyFactor(input(changes), outlook(variation));

  it("is worked out from buffer, variation and queue", () => {
    // Full buffer: 0.97 - 0.5 * (0.6 - 0.4) = 0.87. Empty: 0.97 - 0.5 * 0.6 = 0.67.
    expect(factor({ bufferSeconds: 18 }, 0.5)).toBeCloseTo(0.87, 10);
    expect(factor({ bufferSeconds: 0 }, 0.5)).toBeCloseTo(0.67, 10);
    // A queue of 160 ms at a target of 40 ms is 2 above twice the target: 0.97 / 1.2.
    expect(factor({ queueingDelaySeconds: 0.16 }, 0)).toBeCloseTo(0.97 / 1.2, 10);
    // No target, no judgement of the queue.
    expect(factor({ queueingDelaySeconds: 2, targetDelaySeconds: null }, 0)).toBe(0.97);
  });

  it("keeps a fifth of the rate whatever is said", () => {
    expect(factor({ bufferSeconds: 0, queueingDelaySeconds: 100 }, 50)).toBe(0.2);
  });
});

describe("for any input", () => {
  it("never chooses lower for a higher rate", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 20, noNaN: true }),
        fc.nat(5),
        (megabitsPerSecond, currentIndex) => {
          const lower = chosen({ currentIndex, outlook: steady(megabitsPerSecond) });
          const higher = chosen({ currentIndex, outlook: steady(megabitsPerSecond * 1.5) });
          expect(higher).toBeGreaterThanOrEqual(lower);
        },
      ),
    );
  });
});
