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
