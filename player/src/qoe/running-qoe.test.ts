import { expect, it } from "vitest";
import { RunningQoe } from "./running-qoe.ts";

const TIMES = { startupSeconds: 0.6, stalls: [{ startedAtMs: 1000, durationMs: 500 }] };
const segment = (index: number, megabits: number, requestedAtMs = 0) => ({
  index,
  bitsPerSecond: megabits * 1e6,
  requestedAtMs,
});

it("counts a segment once, however often it is looked at", () => {
  const running = new RunningQoe();
  for (const shown of [null, segment(1, 1), segment(1, 1), segment(2, 3), segment(3, 3), segment(3, 3)]) {
    running.watch(shown);
  }
  // 1 + 3 + 3 = 7; one change of 2; half a second of stall costs 2.15
  const summary = running.summary(TIMES);
  expect(summary).toMatchObject({
    sinceMs: null,
    startupSeconds: 0.6,
    stallCount: 1,
    stalledSeconds: 0.5,
    switches: 1,
  });
  expect(summary.linear).toBeCloseTo(7 - 2 - 2.15, 12);
  expect(summary.linearPerSegment).toBeCloseTo(2.85 / 3, 12);
  expect(summary.meanBitsPerSecond).toBeCloseTo(7e6 / 3, 6);
});

it("counts a segment again that is watched again after another one", () => {
  const running = new RunningQoe();
  for (const index of [1, 2, 1]) {
    running.watch(segment(index, 2));
  }
  expect(running.summary({ ...TIMES, stalls: [] }).linear).toBe(6);
});

it("has no quality before anything was shown", () => {
  expect(new RunningQoe().summary({ startupSeconds: null, stalls: [] })).toEqual({
    sinceMs: null,
    startupSeconds: null,
    stallCount: 0,
    stalledSeconds: 0,
    switches: 0,
    meanBitsPerSecond: null,
    linear: null,
    linearPerSegment: null,
  });
});

it("begins anew with other choices: with what is fetched from there on, and with what is left of a stall", () => {
  const running = new RunningQoe(1200);
  for (const shown of [segment(4, 9, 100), segment(5, 8, 1100), segment(6, 1, 1200), segment(7, 2, 2300)]) {
    running.watch(shown);
  }
  const stalls = [
    { startedAtMs: 100, durationMs: 900 },
    { startedAtMs: 1000, durationMs: 500 },
    { startedAtMs: 3000, durationMs: 700 },
  ];
  const summary = running.summary({ startupSeconds: 0.6, stalls });
  expect(summary).toMatchObject({ sinceMs: 1200, startupSeconds: null, stallCount: 2, switches: 1 });
  expect(summary.stalledSeconds).toBeCloseTo(1, 12);
  expect(summary.linear).toBeCloseTo(1 + 2 - 1 - 4.3, 12);
});
