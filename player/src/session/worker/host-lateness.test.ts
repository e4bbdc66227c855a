import { beforeEach, describe, expect, it } from "vitest";
import { HostLateness } from "./host-lateness.ts";

let nowMs: number;
let timers: { callback: () => void; delayMs: number }[];
let lateness: HostLateness;

/** What the thread finds in the doubt of, awake at these times in turn. */
const doubtsAt = (...times: number[]): number[] =>
  times.map((timeMs) => {
    nowMs = timeMs;
    return lateness.awakeMs(timeMs);
  });

/** Runs the timer of this delay. */
function fire(timeMs: number, delayMs: number): void {
  nowMs = timeMs;
  const place = timers.findIndex((timer) => timer.delayMs === delayMs);
  const [timer] = timers.splice(place, 1);
  timer?.callback();
}

beforeEach(() => {
  nowMs = 0;
  timers = [];
  lateness = new HostLateness(
    () => nowMs,
    (callback, delayMs) => {
      const timer = { callback, delayMs };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  );
});

describe("what is read", () => {
  it("came just then while everything is in time", () => {
    lateness.expect(20);
    expect(doubtsAt(3, 12, 24)).toEqual([0, 0, 0]);
  });

  it("may have come since the thread was last awake in time, until all that waited is read", () => {
    const woken = lateness.expect(20);
    expect(doubtsAt(12, 70, 71)).toEqual([0, 58, 59]);
    woken(71.5);
    expect(doubtsAt(72)).toEqual([60]);
    fire(73, 0);
    expect(doubtsAt(74, 90)).toEqual([0, 0]);
  });

  it("may have come earlier, too, where the timer ran first", () => {
    lateness.setTimer(() => undefined, 20);
    doubtsAt(12);
    fire(70, 20);
    expect(doubtsAt(70.5)).toEqual([58.5]);
  });

  it("is not doubted for a timer that a browser holds back though the thread runs", () => {
    lateness.expect(20);
    expect(doubtsAt(30, 50, 61, 70)).toEqual([30, 50, 0, 0]);
  });
});

describe("the last second", () => {
  it("has the most by which a waking was late", () => {
    lateness.expect(100)(180);
    lateness.expect(300)(302);
    expect([400, 1179, 1180].map((timeMs) => lateness.recentMs(timeMs))).toEqual([80, 80, 2]);
    expect(lateness.recentMs(5000)).toBe(0);
  });

  it("counts nothing that was called off before its time, and nothing twice", () => {
    const woken = lateness.expect(100);
    woken(60);
    woken(180);
    expect(lateness.recentMs(200)).toBe(0);
  });
});

it("watches timers that run, and those that are called off", () => {
  let runs = 0;
  lateness.setTimer(() => {
    runs += 1;
  }, 10);
  const cancel = lateness.setTimer(() => undefined, 20);
  fire(12, 10);
  expect([runs, lateness.recentMs(nowMs), timers.length]).toEqual([1, 2, 1]);
  nowMs = 60;
  cancel();
  expect([lateness.recentMs(nowMs), timers.filter(({ delayMs }) => delayMs === 20)]).toEqual([40, []]);
});
