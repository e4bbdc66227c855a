import { beforeEach, describe, expect, it } from "vitest";
import { Heartbeat } from "./heartbeat.ts";

const TICK_MS = 100;

let pings: { atMs: number; sequence: number }[];
let silences: { atMs: number; isSilent: boolean }[];
let nowMs: number;
let heartbeat: Heartbeat;

/** Ticks up to a time, hearing something at the given times. */
function runTo(endMs: number, heardAtMs: readonly number[] = []): void {
  while (nowMs < endMs) {
    nowMs += TICK_MS;
    if (heardAtMs.includes(nowMs)) {
      heartbeat.heard(nowMs);
    }
    heartbeat.tick(nowMs);
  }
}

beforeEach(() => {
  pings = [];
  silences = [];
  nowMs = 0;
  heartbeat = new Heartbeat(
    {
      sendPing: (sequence) => pings.push({ atMs: nowMs, sequence }),
      onSilence: (isSilent) => silences.push({ atMs: nowMs, isSilent }),
    },
    nowMs,
  );
});

describe("a heartbeat", () => {
  it("asks nothing while something is heard", () => {
    runTo(
      3000,
      Array.from({ length: 10 }, (_, index) => 300 * (index + 1)),
    );
    expect(pings).toEqual([]);
    expect(silences).toEqual([]);
  });

  it("asks every 500 ms while it is quiet, whether or not requests are open", () => {
    runTo(1500);
    expect(pings).toEqual([
      { atMs: 400, sequence: 0 },
      { atMs: 900, sequence: 1 },
      { atMs: 1400, sequence: 2 },
    ]);
  });

  it("knows within 2 s that the server is silent, and says so once", () => {
    runTo(10_000);
    expect(silences).toEqual([{ atMs: 1800, isSilent: true }]);
  });

  it("goes on asking while it is silent, and hears the server again", () => {
    runTo(6000, [5000]);
    expect(pings.length).toBeGreaterThan(8);
    expect(silences).toEqual([
      { atMs: 1800, isSilent: true },
      { atMs: 5000, isSilent: false },
    ]);
  });

  it("is not silent while pongs come, however long nothing else does", () => {
    runTo(
      10_000,
      Array.from({ length: 20 }, (_, index) => 500 * (index + 1)),
    );
    expect(silences).toEqual([]);
  });

  it("after a freeze asks at once, and counts the silence from then", () => {
    runTo(300);
    nowMs = 30_000;
    heartbeat.restart(nowMs);
    heartbeat.tick(nowMs);
    expect(pings).toEqual([{ atMs: 30_000, sequence: 0 }]);
    expect(silences).toEqual([]);
    runTo(33_000);
    expect(silences).toEqual([{ atMs: 31_400, isSilent: true }]);
  });
});
