import { beforeEach, describe, expect, it } from "vitest";
import { RETRY_AFTER_MS, ReconnectSchedule } from "./reconnect-schedule.ts";

const ADDRESS = "https://127.0.0.1:4433 first";
const OTHER = "https://127.0.0.1:4433 second";

let nowMs: number;
let random: number;
let schedule: ReconnectSchedule;

beforeEach(() => {
  nowMs = 100_000;
  random = 0.5;
  schedule = new ReconnectSchedule({ nowMs: () => nowMs, random: () => random });
});

/** An attempt that fails after a while; how long to wait for the next. */
function fail(durationMs = 0, address = ADDRESS): number {
  schedule.onAttempt(address);
  nowMs += durationMs;
  schedule.onEnd();
  return schedule.waitMs(address);
}

/** The attempts that are made within a time when every one fails at once and the address stays. */
function attemptsWithin(totalMs: number): number {
  const endMs = nowMs + totalMs;
  let attempts = 0;
  while (nowMs < endMs) {
    nowMs += fail();
    attempts += 1;
  }
  return attempts;
}

describe("a reconnect schedule", () => {
  it("lets the first attempt through at once", () => {
    expect(schedule.waitMs(ADDRESS)).toBe(0);
  });

  it.each([
    ["in the middle", 0.5, 1],
    ["at its shortest", 0, 0.75],
    ["at its longest", 1, 1.25],
  ])("waits longer from failure to failure, jitter %s", (_name, share, factor) => {
    random = share;
    const waits = [...RETRY_AFTER_MS, 60_000].map(() => {
      const waitMs = fail();
      nowMs += waitMs;
      return waitMs;
    });
    expect(waits).toEqual([...RETRY_AFTER_MS, 60_000].map((delayMs) => delayMs * factor));
  });

  it("makes no storm: at most eight attempts in two minutes, and one a minute after that", () => {
    expect(attemptsWithin(120_000)).toBeLessThanOrEqual(8);
    expect(attemptsWithin(600_000)).toBeLessThanOrEqual(10);
  });

  it("begins anew after a session that lasted", () => {
    attemptsWithin(60_000);
    schedule.onAttempt(ADDRESS);
    schedule.onOpen();
    nowMs += 10_000;
    schedule.onEnd();
    expect(schedule.waitMs(ADDRESS)).toBe(250);
  });

  it("does not begin anew after sessions that end as soon as they are open", () => {
    fail();
    schedule.onAttempt(ADDRESS);
    schedule.onOpen();
    nowMs += 9000;
    schedule.onEnd();
    expect(schedule.waitMs(ADDRESS)).toBe(1000);
  });

  it("tries another certificate at once, and it alone", () => {
    for (let failure = 0; failure < 7; failure++) {
      fail(5000);
    }
    expect(schedule.waitMs(ADDRESS)).toBe(60_000);
    expect(schedule.waitMs(OTHER)).toBe(0);
    expect(fail(0, OTHER)).toBe(60_000);
  });

  it("makes no storm of certificates that change all the time", () => {
    fail();
    expect(schedule.waitMs(OTHER)).toBe(1000);
  });

  it("hurries when something has changed for the better, but not twice within 5 s", () => {
    for (let failure = 0; failure < 7; failure++) {
      fail(6000);
    }
    schedule.allowSoon();
    expect(schedule.waitMs(ADDRESS)).toBe(0);
    fail(1000);
    schedule.allowSoon();
    expect(schedule.waitMs(ADDRESS)).toBe(4000);
  });

  it("never waits longer because of that", () => {
    fail();
    schedule.allowSoon();
    expect(schedule.waitMs(ADDRESS)).toBe(250);
  });

  it("holds nothing against a session that the viewer asked for", () => {
    attemptsWithin(60_000);
    schedule.reset();
    expect(schedule.waitMs(ADDRESS)).toBe(0);
    expect(fail()).toBe(250);
  });
});
