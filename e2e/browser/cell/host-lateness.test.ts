import { expect, test } from "vitest";
import { hostLateness } from "./host-lateness.ts";

const WINDOW = { fromMs: 1000, toMs: 2000 };
const estimates = (...lateMs: number[]) =>
  lateMs.map((hostLateMs, place) => ({ atMs: 1000 + 100 * place, hostLateMs }));

test("a run is marked where the receiver was late more often than not", () => {
  expect(hostLateness(estimates(2, 3, 80), WINDOW)).toEqual({ medianMs: 3, maxMs: 80, isOverloaded: false });
  expect(hostLateness(estimates(2, 45, 80), WINDOW)).toEqual({ medianMs: 45, maxMs: 80, isOverloaded: true });
});

test("what was measured outside the run does not count", () => {
  const outside = [
    { atMs: 999, hostLateMs: 500 },
    { atMs: 2000, hostLateMs: 500 },
  ];
  expect(hostLateness([...outside, ...estimates(2)], WINDOW)?.maxMs).toBe(2);
});

test("a page that tells nothing of it is not judged", () => {
  expect(hostLateness([], WINDOW)).toBeNull();
  expect(hostLateness([{ atMs: 1500 } as { atMs: number; hostLateMs: number }], WINDOW)).toBeNull();
});
