import { expect, test } from "vitest";
import { bootstrapMean, pairedRatios } from "./bootstrap.ts";

test("of two samples the resampled means are worked out by hand", () => {
  // 0 and 1 give means 0, 0.5 and 1 with chances 1/4, 1/2, 1/4: both 2.5 % quantiles lie at the ends
  expect(bootstrapMean([0, 1])).toEqual({ mean: 0.5, interval: { low: 0, high: 1 }, samples: 2 });
});

test("resamples are drawn by the generator", () => {
  // always the first sample, then always the last
  expect(bootstrapMean([3, 5, 7], () => 0)?.interval).toEqual({ low: 3, high: 3 });
  expect(bootstrapMean([3, 5, 7], () => 0.99)?.interval).toEqual({ low: 7, high: 7 });
});

test("of many samples the interval is nearly the normal one", () => {
  // 1 to 100: mean 50.5, standard deviation 28.87, of the mean 2.887; 1.96 of them are 5.66
  const estimate = bootstrapMean(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(estimate?.mean).toBe(50.5);
  expect(Math.abs((estimate?.interval?.low ?? 0) - 44.84)).toBeLessThan(0.3);
  expect(Math.abs((estimate?.interval?.high ?? 0) - 56.16)).toBeLessThan(0.3);
});

test("the same samples give the same interval again", () => {
  expect(bootstrapMean([1, 2, 4, 8])).toEqual(bootstrapMean([1, 2, 4, 8]));
});

test("one sample has no interval, none has no mean", () => {
  expect(bootstrapMean([4])).toEqual({ mean: 4, interval: null, samples: 1 });
  expect(bootstrapMean([])).toBeNull();
});

test("pairs are compared one by one, and a pair that lacks one is left out", () => {
  expect(pairedRatios([12, null, 8, 5], [10, 10, 16, null])).toEqual([0.19999999999999996, -0.5]);
  expect(pairedRatios([1], [0])).toEqual([]);
  expect(() => pairedRatios([1], [])).toThrow("1 samples and 0 partners make no pairs");
});
