import fc from "fast-check";
import { expect, test } from "vitest";
import { bba } from "./bba.ts";
import { madeContext } from "./made-context.ts";
import type { RuleContext } from "./rule.ts";

// Of 24 s that can be reached the reservoir is 24 * 90 / 240 = 9 s and the cushion 24 * 126 / 240 = 12.6 s: it ends at 21.6 s.
const context = (bufferSeconds: number, currentIndex: number | null): RuleContext =>
  madeContext({
    ladderBitsPerSecond: [1e6, 2e6, 4e6, 7e6],
    currentIndex,
    bufferSeconds,
    reachableBufferSeconds: [24, 24, 24, 36],
  });

test.each([
  ["in the reservoir the lowest", 9, 3, 0, "reservoir"],
  ["above the cushion the highest", 21.6, 0, 3, "above the cushion"],
  // Half of the cushion: 1 + 6 / 2 = 4 Mbit/s, at which the next rung but one is reached, and not passed.
  ["the rungs below the line from below", 15.3, 0, 1, "cushion"],
  ["the rung that it has while the line has not reached the next", 15.2, 1, 1, "stay"],
  ["the same rung while the line falls, until the one below", 12, 2, 2, "stay"],
  // A twelfth: 1.5 Mbit/s. From 4 it falls below 2, and the least above the line is 2.
  ["the rung above the line from above", 10.05, 2, 1, "cushion"],
  ["no more than the map says for the first segment", 10.05, null, 0, "stay"],
] as const)("it takes %s", (_what, bufferSeconds, currentIndex, index, why) => {
  expect(bba.decide(context(bufferSeconds, currentIndex))).toMatchObject({ index, reason: { why } });
});

test("a ladder of one rung and a player without a buffer are served", () => {
  expect(bba.decide({ ...context(12, 0), ladderBitsPerSecond: [1e6] }).index).toBe(0);
  expect(bba.decide({ ...context(0, 0), reachableBufferSeconds: [0, 0, 0, 0] }).index).toBe(0);
});

test.each([
  ["a film of 10 s", 10, 18 - 10],
  ["a film of 12 s", 12, 18 - 12],
  ["a live stream, two segments behind", 4, 8 - 4],
])("what a stall leaves lies in the reservoir: %s", (_what, segmentSeconds, reachableSeconds) => {
  const reachableBufferSeconds = [1, 1, 1, 1].map(() => reachableSeconds);
  const left = { ...context(segmentSeconds, 3), segmentSeconds, reachableBufferSeconds };
  expect(bba.decide(left)).toMatchObject({ index: 0, reason: { why: "reservoir" } });
});

test("a segment's length is nothing to it while the reservoir holds one", () => {
  const reachableBufferSeconds = [16, 16, 16, 28]; // the reservoir is 6 s
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 30, noNaN: true }),
      fc.option(fc.nat(3), { nil: null }),
      fc.double({ min: 0.5, max: 6, noNaN: true }),
      (bufferSeconds, currentIndex, segmentSeconds) => {
        const asked = { ...context(bufferSeconds, currentIndex), reachableBufferSeconds };
        expect(bba.decide({ ...asked, segmentSeconds })).toEqual(bba.decide({ ...asked, segmentSeconds: 0 }));
      },
    ),
  );
});
