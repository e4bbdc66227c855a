import { expect, it } from "vitest";
import { DelayStatistics } from "./delay-statistics.ts";

it("gives the mean and quantiles to a millisecond", () => {
  const delays = new DelayStatistics();
  for (let delay = 1; delay <= 100; delay++) {
    delays.add(delay);
  }
  expect(delays.meanMs()).toBe(50.5);
  expect(delays.quantileMs(0.95)).toBeCloseTo(95.05, 12);
  expect(delays.quantileMs(1)).toBe(100);
});

it("keeps delays beyond ten seconds in its last place", () => {
  const delays = new DelayStatistics();
  delays.add(60_000);
  expect(delays.quantileMs(0.95)).toBe(10_000);
});

it("knows nothing before the first delay", () => {
  expect(new DelayStatistics().meanMs()).toBeNull();
  expect(new DelayStatistics().quantileMs(0.95)).toBeNull();
});
