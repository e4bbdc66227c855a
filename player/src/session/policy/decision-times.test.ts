import { expect, test } from "vitest";
import { DecisionTimes } from "./decision-times.ts";

test("quantiles are those of all decisions kept", () => {
  const times = new DecisionTimes();
  expect(times.quantileMs(0.5)).toBeNull();
  for (let durationMs = 100; durationMs >= 1; durationMs--) {
    times.add(durationMs);
  }
  expect(times.quantileMs(0.5)).toBe(50.5);
  expect(times.quantileMs(0.99)).toBeCloseTo(99.01, 12);
});

test("only the newest thousand count", () => {
  const times = new DecisionTimes();
  times.add(500);
  for (let count = 0; count < 1000; count++) {
    times.add(1);
  }
  expect(times.quantileMs(1)).toBe(1);
});
