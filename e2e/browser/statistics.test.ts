import { expect, test } from "vitest";
import { maximum, mean, median, quantile } from "./statistics.ts";

test("quantiles interpolate between the closest ranks", () => {
  // positions of 0..4 (five values): 0.5 -> rank 2, 0.95 -> rank 3.8 = 40 + 0.8 * 10
  expect(median([50, 10, 30, 20, 40])).toBe(30);
  expect(quantile([50, 10, 30, 20, 40], 0.95)).toBeCloseTo(48, 12);
  expect(quantile([7], 0.95)).toBe(7);
});

test("an empty list has no mean, no quantile and no maximum", () => {
  expect([mean([]), median([]), maximum([])]).toEqual([null, null, null]);
});

test("mean and maximum", () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(maximum([-3, -1, -2])).toBe(-1);
});
