import { expect, it } from "vitest";
import { DeliveryAverage } from "./delivery-average.ts";

function averageOf(
  ...samples: readonly (readonly [atSeconds: number, megabits: number, isFresh: boolean])[]
) {
  const average = new DeliveryAverage();
  for (const [at, megabits, isFresh] of samples) average.add(at, megabits * 1e6, isFresh);
  return average.meanBitsPerSecond();
}

it("knows nothing before the first estimate", () => {
  expect(averageOf()).toBeNull();
});

it("is the estimate on a steady link, from the first one on", () => {
  expect(averageOf([0, 5, true])).toBeCloseTo(5e6, 3);
  expect(averageOf([0, 5, true], [0.1, 5, true], [0.2, 5, true])).toBeCloseTo(5e6, 3);
});

it("takes what holds between downloads only where there is nothing else", () => {
  expect(averageOf([0, 5, false])).toBe(5e6);
  expect(averageOf([0, 5, true], [0.1, 50, false], [9, 50, false])).toBeCloseTo(5e6, 3);
});

it("does not follow a flicker", () => {
  const steady = Array.from({ length: 100 }, (_, index) => [index / 10, 5, true] as const);
  expect(averageOf(...steady, [10, 25, true])).toBeLessThan(5.5e6);
});

it("goes half of the way in 8 s of delivery, however long that takes", () => {
  const before = Array.from({ length: 900 }, (_, index) => [index / 10, 5, true] as const);
  const after = Array.from({ length: 80 }, (_, index) => [90 + index / 10, 1, true] as const);
  expect(averageOf(...before, ...after)).toBeCloseTo(3e6, -5);
  // An hour of silence between two estimates counts as 0.3 s.
  const kept = 0.5 ** (0.3 / 8);
  expect(averageOf(...before, [3700, 1, true])).toBeCloseTo(1e6 + 4e6 * kept, -3);
});

it("has the newest beside it", () => {
  const average = new DeliveryAverage();
  expect(average.newestBitsPerSecond()).toBeNull();
  average.add(0, 5e6, true);
  average.add(0.1, 2e6, false);
  expect(average.newestBitsPerSecond()).toBe(2e6);
});
