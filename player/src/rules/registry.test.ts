import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DASHJS_RULES, isOwnRule, isRuleName, RULES } from "./registry.ts";
import type { Decision, DownloadContext, OwnRule, RuleContext } from "./rule.ts";

const LADDER = [0.7e6, 1.4e6, 2.8e6, 5e6, 8e6, 12e6];
const OWN = RULES.flatMap((rule): OwnRule[] => (isOwnRule(rule) ? [rule] : []));

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const outlooks = fc.option(
  fc.record({
    nowBitsPerSecond: double(0, 1e9),
    recentBitsPerSecond: double(0, 1e9),
    sustainedBitsPerSecond: double(0, 1e9),
    variation: double(0, 10),
  }),
);
const sizes = fc.constant(LADDER.map((rung) => [2 * rung]));
const vmaf = fc.option(
  fc.array(fc.array(double(0, 100), { minLength: 1, maxLength: 8 }), {
    minLength: LADDER.length,
    maxLength: LADDER.length,
  }),
);
const pasts = fc.array(
  fc.record({
    expectedBits: double(1, 1e9),
    seconds: double(0, 100),
    silentSeconds: double(0, 100),
    roundTripSeconds: double(0, 2),
    outlook: outlooks.filter((outlook) => outlook !== null),
  }),
  { maxLength: 20 },
);
const contexts: fc.Arbitrary<RuleContext> = fc.record({
  ladderBitsPerSecond: fc.integer({ min: 1, max: LADDER.length }).map((rungs) => LADDER.slice(0, rungs)),
  currentIndex: fc.constant(0),
  segmentSeconds: double(0.5, 10),
  bufferSeconds: double(0, 40),
  reachableBufferSeconds: fc.array(double(0, 60), { minLength: LADDER.length, maxLength: LADDER.length }),
  outlook: outlooks,
  segmentBits: sizes,
  segmentVmaf: vmaf,
  previousVmaf: fc.option(double(0, 100)),
  remainingSegments: fc.option(fc.integer({ min: 1, max: 1000 })),
  pastDownloads: pasts,
  segmentThroughputsBitsPerSecond: fc.array(double(1, 1e9), { maxLength: 20 }),
  queueingDelaySeconds: double(0, 30),
  targetDelaySeconds: fc.option(double(0.001, 1)),
  roundTripSeconds: double(0, 2),
  otherBitsPerSecond: double(0, 1e6),
});
const downloads: fc.Arbitrary<DownloadContext> = fc.record({
  ladderBitsPerSecond: fc.constant(LADDER),
  index: fc.nat(LADDER.length - 1),
  previousIndex: fc.option(fc.nat(LADDER.length - 1)),
  segmentSeconds: double(0.5, 10),
  elapsedSeconds: double(0, 60),
  silentSeconds: double(0, 60),
  segmentBits: sizes,
  segmentVmaf: vmaf,
  previousVmaf: fc.option(double(0, 100)),
  pastDownloads: pasts,
  roundTripSeconds: double(0, 2),
  loadedBytes: fc.nat(2_000_000),
  totalBytes: fc.option(fc.integer({ min: 2_000_000, max: 20_000_000 })),
  bufferSeconds: double(0, 40),
  outlook: outlooks,
});

function expectPlain({ index, reason }: Decision, rungs: number): void {
  expect(Number.isInteger(index) && index >= 0 && index < rungs, `rung ${index} of ${rungs}`).toBe(true);
  expect(reason.why).not.toBe("");
  for (const value of Object.values(reason)) {
    expect(typeof value !== "number" || Number.isFinite(value)).toBe(true);
  }
}

it("names every rule once and says what it is", () => {
  for (const values of [RULES.map(({ name }) => name), RULES.map(({ title }) => title)]) {
    expect(new Set(values).size).toBe(RULES.length);
  }
  for (const { name, title, summary } of RULES) {
    expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(title).not.toBe("");
    expect(summary).toMatch(/\.$/);
  }
});

it("knows its own names only", () => {
  expect(RULES.every(({ name }) => isRuleName(name))).toBe(true);
  expect(isRuleName("pensieve")).toBe(false);
});

it("switches on rules that dash.js has", () => {
  for (const rule of RULES) {
    expect(DASHJS_RULES).toEqual(expect.arrayContaining(isOwnRule(rule) ? [] : [...rule.dashjsRules]));
  }
});

describe.each(OWN)("$name, whatever it sees,", ({ decide }) => {
  it("chooses a rung of the ladder, with finite numbers as its reason", () => {
    fc.assert(
      fc.property(contexts, fc.option(fc.nat()), (context, place) => {
        const rungs = context.ladderBitsPerSecond.length;
        const segmentBits = context.segmentBits.slice(0, rungs);
        const segmentVmaf = context.segmentVmaf?.slice(0, rungs) ?? null;
        const currentIndex = place === null ? null : place % rungs;
        expectPlain(decide({ ...context, segmentBits, segmentVmaf, currentIndex }), rungs);
      }),
    );
  });

  it("decides the same for the same context", () => {
    fc.assert(
      fc.property(contexts, (context) => {
        expect(decide(context)).toEqual(decide(context));
      }),
    );
  });
});

it.each(OWN.filter(({ abandon }) => abandon !== undefined))(
  "$name gives up a download for a lower rung only",
  ({ abandon }) => {
    fc.assert(
      fc.property(downloads, (download) => {
        const decision = abandon?.(download) ?? null;
        if (decision !== null) {
          expectPlain(decision, download.index);
        }
      }),
    );
  },
);
