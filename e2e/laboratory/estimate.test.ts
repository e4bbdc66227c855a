import { expect, test } from "vitest";
import { type Estimate, estimateMean, pairedRatios } from "./estimate.ts";

function expectInterval(estimate: Estimate | null, low: number, high: number): void {
  expect(estimate?.interval?.low).toBeCloseTo(low, 2);
  expect(estimate?.interval?.high).toBeCloseTo(high, 2);
}

test("an interval is the mean and t standard errors to each side", () => {
  // 2, 4, 6: mean 4, standard deviation 2; 4.303 * 2 / sqrt(3) = 4.968
  const three = estimateMean([2, 4, 6]);
  expect(three).toMatchObject({ mean: 4, samples: 3 });
  expectInterval(three, -0.968, 8.968);
  // 1 to 5: mean 3, standard deviation sqrt(2.5); 2.776 * sqrt(2.5 / 5) = 1.963
  expectInterval(estimateMean([1, 2, 3, 4, 5]), 1.037, 4.963);
  // of two: 12.706 * 0.7071 / sqrt(2) = 6.353
  expectInterval(estimateMean([0, 1]), -5.853, 6.853);
});

test("an interval ends where the quantity does", () => {
  expectInterval(estimateMean([2, 4, 6], { least: 0 }), 0, 8.968);
  expectInterval(estimateMean([0.5, 0.9], { least: 0, most: 1 }), 0, 1);
});

test("equal samples have an interval without width", () => {
  expect(estimateMean([4, 4, 4])?.interval).toEqual({ low: 4, high: 4 });
});

test("one sample has no interval, none has no mean", () => {
  expect(estimateMean([4])).toEqual({ mean: 4, interval: null, samples: 1 });
  expect(estimateMean([])).toBeNull();
});

test.each([3, 5, 10])("of %i normal samples the interval holds the true mean in 95 of 100 cases", (count) => {
  const seed = 7;
  const cases = 4000;
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647; // Park and Miller
    return state / 2_147_483_647;
  };
  // Box and Muller
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let held = 0;
  for (let drawn = 0; drawn < cases; drawn += 1) {
    const { low, high } = estimateMean(Array.from({ length: count }, normal))?.interval ?? {
      low: 0,
      high: 0,
    };
    if (low < 0 && 0 < high) held += 1;
  }
  // the standard error of the share is sqrt(0.95 * 0.05 / 4000) = 0.0034
  expect(Math.abs(held / cases - 0.95), `seed ${seed}`).toBeLessThan(0.011);
});

test("pairs are compared one by one, and a pair that lacks one is left out", () => {
  expect(pairedRatios([12, null, 8, 5], [10, 10, 16, null])).toEqual([0.19999999999999996, -0.5]);
  expect(pairedRatios([1], [0])).toEqual([]);
  expect(() => pairedRatios([1], [])).toThrow("1 samples and 0 partners make no pairs");
});
