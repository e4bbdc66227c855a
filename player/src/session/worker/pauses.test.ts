import { beforeEach, expect, it } from "vitest";
import { Pauses } from "./pauses.ts";

let nowMs: number;
let timers: { callback: () => void; dueMs: number }[];
let ended: string[];
let pauses: Pauses;

beforeEach(() => {
  nowMs = 0;
  timers = [];
  ended = [];
  pauses = new Pauses(
    () => nowMs,
    (callback, delayMs) => {
      const timer = { callback, dueMs: nowMs + delayMs };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  );
});

async function awakeAt(timeMs: number): Promise<string[]> {
  nowMs = timeMs;
  pauses.awake(timeMs);
  await Promise.resolve();
  return ended;
}

it("end when the worker is awake after their time, and take their timers with them", async () => {
  void pauses.pause(10, 5).then(() => ended.push("first"));
  void pauses.pause(12, 5).then(() => ended.push("second"));
  expect(await awakeAt(9)).toEqual([]);
  expect(await awakeAt(11)).toEqual(["first"]);
  expect(timers.map(({ dueMs }) => dueMs)).toEqual([17]);
  expect(await awakeAt(12)).toEqual(["first", "second"]);
  expect(timers).toEqual([]);
});

it("end by themselves where nothing wakes the worker", async () => {
  void pauses.pause(10, 5).then(() => ended.push("first"));
  expect(timers.map(({ dueMs }) => dueMs)).toEqual([15]);
  timers[0]?.callback();
  await Promise.resolve();
  expect(ended).toEqual(["first"]);
  expect(await awakeAt(20)).toEqual(["first"]);
});
