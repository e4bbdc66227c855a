import fc from "fast-check";
import { expect, it } from "vitest";
import { quantile } from "./quantile.ts";

it.each([
  [[1, 2, 3, 4], 0.5, 2.5],
  [[40, 10, 20], 0, 10],
  [[40, 10, 20], 1, 40],
  // numpy.quantile([1, 3, 7, 15, 31], 0.9) is 24.6
  [[31, 1, 15, 3, 7], 0.9, 24.6],
])("of %j at %d is numpy's %d", (values, share, expected) => {
  expect(quantile(values, share)).toBeCloseTo(expected, 12);
});

it("is null of nothing", () => {
  expect(quantile([], 0.5)).toBeNull();
});

it("lies between the least and the most, and grows with the share", () => {
  const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
  const shares = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(numbers, shares, shares, (values, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)].map((share) =>
        quantile(values, share),
      );
      expect(low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
      expect(high).toBeGreaterThanOrEqual((low ?? 0) - 1e-9);
      expect(high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
    }),
  );
});
