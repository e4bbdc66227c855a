import { expect, it } from "vitest";
import { truerClock } from "./server-clock.ts";

const QUICK = { aheadMs: 0, withinMs: 2 };

it("goes by the quickest look, whatever a slow one says", () => {
  const slow = { aheadMs: 1400, withinMs: 1500 }; // all its delay on the way back
  expect(truerClock(slow, QUICK)).toBe(QUICK);
  expect(truerClock(QUICK, slow)).toBe(QUICK);
});

it("goes by a slow look that the quick one cannot agree with: a clock was put right", () => {
  const later = { aheadMs: 60_000, withinMs: 100 };
  expect(truerClock(QUICK, later)).toBe(later);
});
