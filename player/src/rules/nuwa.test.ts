import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { LADDER, madeContext, steady } from "./made-context.ts";
import { nuwa } from "./nuwa.ts";
import { nuwaLog } from "./nuwa-log.ts";
import type { RuleContext } from "./rule.ts";

const context = (changes: Partial<RuleContext>): RuleContext =>
  madeContext({ outlook: steady(6), otherBitsPerSecond: 0.128e6, ...changes });
const chosen = (changes: Partial<RuleContext>): number => nuwa.decide(context(changes)).index;

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
    bufferSeconds = Math.min(16, Math.max(0, bufferSeconds - seconds) + 2);
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
    expect(meanMegabitsPerSecond).toBeGreaterThanOrEqual(0.85 * sustainable);
    expect(meanMegabitsPerSecond).toBeLessThanOrEqual(rate);
    expect(switches).toBeLessThanOrEqual(12);
    expect(stallSeconds).toBe(0);
  });
});

describe("a film that does not tell what its segments weigh", () => {
  it("is taken to weigh what its bitrates say, in every rung", () => {
    const sizes = LADDER.map((rung) => [2 * rung]);
    for (const bufferSeconds of [2, 6, 18]) {
      const told = nuwa.decide(context({ bufferSeconds, outlook: steady(2) }));
      expect(nuwa.decide(context({ bufferSeconds, outlook: steady(2), segmentBits: [] }))).toEqual(told);
      expect(
        nuwa.decide(context({ bufferSeconds, outlook: steady(2), segmentBits: sizes.slice(0, 3) })),
      ).toEqual(told);
    }
  });
});

describe("start-up", () => {
  it("stays where it is while nothing was measured", () => {
    expect(nuwa.decide(context({ outlook: null, currentIndex: 1 }))).toMatchObject({
      index: 1,
      reason: { why: "no estimate yet", bandwidthBitsPerSecond: null, safety: null },
    });
    expect(chosen({ outlook: null, currentIndex: null })).toBe(0);
  });

  it("takes the first rung from the estimate, modestly while the buffer is empty", () => {
    expect(chosen({ currentIndex: null, bufferSeconds: 0, outlook: steady(100) })).toBeGreaterThanOrEqual(2);
    expect(chosen({ currentIndex: null, bufferSeconds: 0, outlook: steady(1) })).toBe(0);
  });
});

describe("a collapse of the estimate", () => {
  it("brings the rung down at once when the buffer is short", () => {
    const collapsed = { ...steady(0.3, 0.8), sustainedBitsPerSecond: 1e6 };
    expect(chosen({ currentIndex: 5, bufferSeconds: 3, outlook: collapsed })).toBe(0);
  });

  it("is ridden out by a full buffer better than by a short one", () => {
    const brief = { ...steady(1, 0.3), sustainedBitsPerSecond: 6e6 };
    const short = chosen({ currentIndex: 4, bufferSeconds: 3, outlook: brief });
    const full = chosen({ currentIndex: 4, bufferSeconds: 18, outlook: brief });
    expect(short).toBeLessThan(full);
  });

  it("shows in the queue first", () => {
    const at = { currentIndex: 5, bufferSeconds: 3, outlook: steady(12), targetDelaySeconds: 0.04 };
    const calm = nuwa.decide(context({ ...at, queueingDelaySeconds: 0.04 }));
    const grown = nuwa.decide(context({ ...at, queueingDelaySeconds: 0.8 }));
    expect(grown.index).toBeLessThan(calm.index);
  });

  it.each([0, 0.0005])("a short queue beside a target of %d s is none", (targetDelaySeconds) => {
    const at = { currentIndex: 5, bufferSeconds: 12, outlook: steady(12) };
    for (const queueingDelaySeconds of [0, 0.002, 0.03]) {
      const small = nuwa.decide(context({ ...at, queueingDelaySeconds, targetDelaySeconds }));
      const none = nuwa.decide(context({ ...at, queueingDelaySeconds, targetDelaySeconds: null }));
      expect(small).toEqual(none);
    }
  });
});

describe("what past downloads say", () => {
  it("that took three times as long as forecast makes it ask for less", () => {
    // 10 Mbit at 6 Mbit/s were forecast to take 1.7 s.
    const late = {
      expectedBits: 10e6,
      seconds: 5,
      silentSeconds: 0,
      roundTripSeconds: 0.05,
      outlook: steady(6),
    };
    const trusting = chosen({ bufferSeconds: 6 });
    const warned = chosen({ bufferSeconds: 6, pastDownloads: Array(10).fill(late) });
    expect(warned).toBeLessThan(trusting);
  });
});

describe("what segments weigh", () => {
  it("counts, and not the manifest's bitrate", () => {
    const light = LADDER.map((rung) => [rung]); // half of nominal
    const heavy = LADDER.map((rung) => [4 * rung]);
    const at = { bufferSeconds: 8, outlook: steady(5.5) };
    expect(chosen({ ...at, segmentBits: light })).toBe(5);
    expect(chosen({ ...at, segmentBits: heavy })).toBeLessThan(4);
  });

  it("is known of single segments: what is heavy now is fetched lower than what is heavy later", () => {
    const at = { bufferSeconds: 6, outlook: steady(5.5) };
    const now = LADDER.map((rung) => [8 * rung, 2 * rung, 2 * rung]);
    const later = LADDER.map((rung) => [2 * rung, 2 * rung, 8 * rung]);
    expect(chosen({ ...at, segmentBits: now })).toBeLessThan(chosen({ ...at, segmentBits: later }));
  });
});

describe("a film's end", () => {
  it("needs no buffer behind it", () => {
    const at = { bufferSeconds: 14, outlook: steady(3), currentIndex: 3 };
    expect(chosen({ ...at, remainingSegments: 2 })).toBe(5);
    expect(chosen({ ...at, remainingSegments: null })).toBeLessThan(5);
  });
});

describe("a switch", () => {
  it("is not made back and forth while the estimate wavers about a rung", () => {
    let currentIndex = 3;
    let switches = 0;
    for (let segment = 0; segment < 40; segment++) {
      const outlook = { ...steady(segment % 2 === 0 ? 4.7 : 5.7, 0.1), sustainedBitsPerSecond: 5.2e6 };
      const next = chosen({ currentIndex, outlook, bufferSeconds: 14 });
      switches += next === currentIndex ? 0 : 1;
      currentIndex = next;
    }
    expect(switches).toBeLessThanOrEqual(2);
  });
});

describe("a film of few choices", () => {
  it("of one rung has that one", () => {
    expect(chosen({ ladderBitsPerSecond: [3e6], currentIndex: 0 })).toBe(0);
  });

  it("of segments of 10 s is planned as well", () => {
    const long = { segmentSeconds: 10, reachableBufferSeconds: LADDER.map(() => 20), currentIndex: 3 };
    expect(chosen({ ...long, bufferSeconds: 20, outlook: steady(20) })).toBe(5);
    expect(chosen({ ...long, bufferSeconds: 3, outlook: steady(2) })).toBe(0);
  });
});

describe("for any input", () => {
  it("never chooses lower for a much higher rate", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.2, max: 20, noNaN: true }),
        fc.nat(5),
        (megabitsPerSecond, currentIndex) => {
          const lower = chosen({ currentIndex, outlook: steady(megabitsPerSecond) });
          const higher = chosen({ currentIndex, outlook: steady(megabitsPerSecond * 2) });
          expect(higher).toBeGreaterThanOrEqual(lower);
        },
      ),
    );
  });
});

describe("QoE_log as the objective", () => {
  it("makes it step to the top later: the last megabits are worth less", () => {
    const at = context({ bufferSeconds: 10, outlook: steady(6.2, 0.3), currentIndex: 4 });
    expect(nuwaLog.decide(at).index).toBeLessThanOrEqual(nuwa.decide(at).index);
  });
});
