import { describe, expect, it } from "vitest";
import { fullBufferSeconds, reachableBufferSeconds } from "./reachable-buffer.ts";

interface Changes {
  readonly durationSeconds?: number;
  readonly isDynamic?: boolean;
  readonly delaySeconds?: number;
  readonly latencySeconds?: number;
  readonly isLowLatency?: boolean;
}

/** With dash.js's own settings. */
function player(changes: Changes = {}): Parameters<typeof reachableBufferSeconds>[0] {
  const { durationSeconds = 100, isDynamic = false, delaySeconds = Number.NaN } = changes;
  const buffer = {
    bufferTimeDefault: 18,
    bufferTimeAtTopQuality: 30,
    bufferTimeAtTopQualityLongForm: 60,
    longFormContentDurationThreshold: 600,
  };
  return {
    duration: () => durationSeconds,
    getCurrentLiveLatency: () => changes.latencySeconds ?? delaySeconds,
    getLowLatencyModeEnabled: () => changes.isLowLatency ?? false,
    getSettings: () => ({ streaming: { buffer } }),
    getTargetLiveDelay: () => delaySeconds,
    isDynamic: () => isDynamic,
  };
}

describe("what can be buffered when a segment is asked for", () => {
  it.each([
    ["a film", {}, 2, [16, 16, 28]],
    ["a film of long segments", {}, 10, [8, 8, 20]],
    ["a film of ten minutes and more", { durationSeconds: 600 }, 2, [16, 16, 58]],
    ["a live stream", { isDynamic: true, delaySeconds: 6 }, 2, [4, 4, 4]],
    ["one with much delay", { isDynamic: true, delaySeconds: 24 }, 2, [16, 16, 22]],
    [
      "one that is far behind its edge",
      { isDynamic: true, delaySeconds: 40, durationSeconds: 60 },
      10,
      [8, 8, 30],
    ],
    ["one whose delay is a segment", { isDynamic: true, delaySeconds: 4 }, 4, [0, 0, 0]],
    ["one whose delay is little more", { isDynamic: true, delaySeconds: 4.5 }, 4, [0.5, 0.5, 0.5]],
    ["one whose delay is less than a segment", { isDynamic: true, delaySeconds: 3 }, 4, [0, 0, 0]],
    ["one whose delay is not known yet", { isDynamic: true }, 2, [16, 16, 58]],
    ["one that is farther behind", { isDynamic: true, delaySeconds: 6, latencySeconds: 12 }, 2, [10, 10, 10]],
    ["one of low latency", { isDynamic: true, delaySeconds: 3, isLowLatency: true }, 2, [3, 3, 3]],
    ["segments that are longer than the buffer", {}, 20, [18, 18, 10]],
  ] as const)(
    "of %s is the target less the segment that is to fit",
    (_what, changes, segmentSeconds, seconds) => {
      expect(reachableBufferSeconds(player(changes), 3, segmentSeconds)).toEqual(seconds);
    },
  );

  it("behind the only rung is the top one's", () => {
    expect(reachableBufferSeconds(player(), 1, 2)).toEqual([28]);
  });
});

it("is full where fetching stops, of a live stream at its delay", () => {
  expect(fullBufferSeconds(player())).toBe(18);
  expect(fullBufferSeconds(player({ isDynamic: true, delaySeconds: 6 }))).toBe(6);
});
