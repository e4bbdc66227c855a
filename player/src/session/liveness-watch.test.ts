import { beforeEach, describe, expect, it } from "vitest";
import { LIVENESS_TICK_MS, LivenessWatch } from "./liveness-watch.ts";

let watch: LivenessWatch;
let nowMs: number;

/** Ticks up to a time; when the worker was given up, or null. */
function runTo(endMs: number): number | null {
  while (nowMs < endMs) {
    nowMs += LIVENESS_TICK_MS;
    if (watch.tick(nowMs)) {
      return nowMs;
    }
  }
  return null;
}

beforeEach(() => {
  watch = new LivenessWatch();
  nowMs = 0;
  watch.tick(0);
});

describe("a page's watch on its worker", () => {
  it("gives up a worker of which nothing is heard for 2 s", () => {
    watch.heard(100);
    expect(runTo(10_000)).toBe(2500);
  });

  it("keeps one that speaks", () => {
    for (let heardMs = 0; heardMs < 10_000; heardMs += 1000) {
      watch.heard(heardMs);
      expect(runTo(heardMs + 1000)).toBeNull();
    }
  });

  it("waits for one that said it would be busy, whatever it says before", () => {
    watch.heard(100);
    watch.expectSilence(6000);
    watch.heard(300);
    expect(runTo(7500)).toBeNull();
    expect(runTo(20_000)).toBe(8000);
  });

  it("waits so long also where the page itself is late meanwhile", () => {
    watch.heard(100);
    watch.expectSilence(20_000);
    runTo(1000);
    nowMs = 3000;
    expect(watch.tick(nowMs)).toBe(false);
    expect(runTo(30_000)).toBe(22_000);
  });

  it("does not begin before the worker's code has come", () => {
    expect(runTo(20_000)).toBeNull();
  });

  it("holds nothing against the worker while the page itself was frozen", () => {
    watch.heard(100);
    runTo(1000);
    nowMs = 60_000;
    expect(watch.tick(nowMs)).toBe(false);
    expect(runTo(61_500)).toBeNull();
    expect(runTo(70_000)).toBe(62_000);
  });
});
