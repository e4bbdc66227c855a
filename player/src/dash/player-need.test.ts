import { expect, it } from "vitest";
import { playerNeed } from "./player-need.ts";

/** A player with two rungs and sound, four seconds into its buffer. */
function player({
  isAutomatic = true,
  playbackRate = 1,
  isReady = true,
  bufferSeconds = 4,
  liveDelaySeconds = 0,
} = {}) {
  const rungs = [
    { id: "high", bandwidth: 8e6, width: 1920, height: 1080 },
    { id: "low", bandwidth: 1e6, width: 640, height: 360 },
  ];
  return {
    isReady: () => isReady,
    isDynamic: () => liveDelaySeconds > 0,
    getTargetLiveDelay: () => liveDelaySeconds,
    getCurrentLiveLatency: () => liveDelaySeconds,
    getRepresentationsByType: () => rungs,
    getCurrentRepresentationForType: (type: string) => (type === "audio" ? { bandwidth: 128_000 } : rungs[1]),
    getBufferLength: () => bufferSeconds,
    getPlaybackRate: () => playbackRate,
    getSettings: () => ({
      streaming: {
        buffer: { bufferTimeDefault: 18 },
        abr: { autoSwitchBitrate: { video: isAutomatic } },
      },
    }),
  } as unknown as Parameters<typeof playerNeed>[0];
}

it("is the highest rung with its sound, and how far the buffer is", () => {
  expect(playerNeed(player())).toEqual({
    rateBytesPerSecond: (8e6 + 128_000) / 8,
    bufferSeconds: 4,
    fullBufferSeconds: 18,
  });
});

it("is the rung that a viewer holds", () => {
  expect(playerNeed(player({ isAutomatic: false }))?.rateBytesPerSecond).toBe((1e6 + 128_000) / 8);
});

it("is more where the film plays faster, and no less where slower", () => {
  expect(playerNeed(player({ playbackRate: 2 }))?.rateBytesPerSecond).toBe((8e6 + 128_000) / 4);
  expect(playerNeed(player({ playbackRate: 0.5 }))?.rateBytesPerSecond).toBe((8e6 + 128_000) / 8);
});

it("is full at a live stream's delay", () => {
  expect(playerNeed(player({ liveDelaySeconds: 4 }))?.fullBufferSeconds).toBe(4);
});

it("has no buffer before the first segment, and is nothing before there is a film", () => {
  expect(playerNeed(player({ bufferSeconds: Number.NaN }))?.bufferSeconds).toBe(0);
  expect(playerNeed(player({ isReady: false }))).toBeNull();
});
