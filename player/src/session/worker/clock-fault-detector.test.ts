import { expect, it } from "vitest";
import { ClockFaultDetector } from "./clock-fault-detector.ts";

const WALL_MS = 1_764_000_000_000;

it.each([
  ["both clocks run on", 100, 100, false],
  ["a tick comes late by less than a second", 1050, 1050, false],
  ["the wall clock is slewed", 100, 110, false],
  ["the wall clock is set forward", 100, 351, true],
  ["the wall clock is set back an hour", 100, 100 - 3_600_000, true],
  ["the machine slept and the monotonic clock stood", 100, 30_100, true],
  ["the worker was frozen", 5000, 5000, true],
  ["the machine slept and both clocks ran", 30_000, 30_000, true],
])("%s", (_name, monotonicMs, wallMs, expected) => {
  const watch = new ClockFaultDetector(100);
  expect(watch.isFault(5, WALL_MS)).toBe(false);
  expect(watch.isFault(5 + monotonicMs, WALL_MS + wallMs)).toBe(expected);
});

it("says it once", () => {
  const watch = new ClockFaultDetector(100);
  watch.isFault(0, WALL_MS);
  expect(watch.isFault(100, WALL_MS + 3_600_100)).toBe(true);
  expect(watch.isFault(200, WALL_MS + 3_600_200)).toBe(false);
});
