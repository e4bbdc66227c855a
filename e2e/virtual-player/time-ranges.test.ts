import { expect, test } from "vitest";
import { VirtualTimeRanges } from "./time-ranges.ts";

const list = (ranges: VirtualTimeRanges): number[][] =>
  Array.from({ length: ranges.length }, (_, index) => [ranges.start(index), ranges.end(index)]);

test("neighbours join, in whatever order they come, and gaps stay", () => {
  const ranges = new VirtualTimeRanges();
  for (const [start, end] of [
    [4, 6],
    [0, 2],
    [2.01, 4],
    [10, 12],
  ] as const) {
    ranges.add(start, end);
  }
  expect(list(ranges)).toEqual([
    [0, 6],
    [10, 12],
  ]);
  expect(ranges.endAt(3)).toBe(6);
  expect(ranges.endAt(7)).toBe(7);
});

test("what is removed leaves a gap", () => {
  const ranges = new VirtualTimeRanges();
  ranges.add(0, 10);
  ranges.remove(2, 4);
  expect(list(ranges)).toEqual([
    [0, 2],
    [4, 10],
  ]);
  expect(() => ranges.start(2)).toThrow("range 2 of 2");
});
