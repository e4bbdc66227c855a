import { expect, test } from "vitest";
import type { PlaybackSample } from "./inside/job.ts";
import { playedBitrates, summarisePlayback } from "./playback.ts";

function sample(atMs: number, mediaSeconds: number, isEnded = false): PlaybackSample {
  return { atMs, mediaSeconds, bufferSeconds: 4, videoHeight: 360, isEnded };
}

test("a film that runs on has a start-up delay and no stall", () => {
  const summary = summarisePlayback({
    navigatedAtMs: 1000,
    firstFrameAtMs: 1800,
    samples: [sample(1500, 0), sample(1900, 0.1), sample(2000, 0.2), sample(2100, 0.3)],
  });
  expect(summary).toMatchObject({ startupSeconds: 0.8, stalls: [], rebufferSeconds: 0, endBufferSeconds: 4 });
  expect(summary.playedSeconds).toBeCloseTo(0.2, 12);
});

test("standing still is one stall until it goes on, and the end of the film is none", () => {
  const { stalls, rebufferSeconds } = summarisePlayback({
    navigatedAtMs: 0,
    firstFrameAtMs: 0,
    samples: [
      sample(0, 0),
      sample(100, 0.1),
      sample(200, 0.12), // advanced 0.02 of 0.1 s: stood still for 0.08
      sample(300, 0.12), // 0.1 more
      sample(400, 0.22),
      sample(500, 0.32, true),
      sample(600, 0.32, true),
    ],
  });
  expect(stalls).toHaveLength(1);
  expect(stalls[0]?.startedAtMs).toBe(100);
  expect(rebufferSeconds).toBeCloseTo(0.18, 12);
});

test("a jump to elsewhere is neither played nor stalled", () => {
  const summary = summarisePlayback({
    navigatedAtMs: 0,
    firstFrameAtMs: 0,
    samples: [sample(0, 0), sample(100, 0.1), sample(200, 20), sample(300, 20.1), sample(400, 3)],
  });
  expect(summary.stalls).toEqual([]);
  expect(summary.playedSeconds).toBeCloseTo(0.2, 12);
});

test("each segment counts once, at the bitrate that was shown when it was entered", () => {
  const change = (atMs: number, toBitsPerSecond: number) => ({
    ...{ atMs, toBitsPerSecond, fromBitsPerSecond: null, rule: "nuwa", reason: "" },
  });
  const playback = {
    navigatedAtMs: 0,
    firstFrameAtMs: 100,
    samples: [sample(150, 0), sample(1000, 1.2), sample(2100, 2.1), sample(3000, 3), sample(4100, 4.05)],
  };
  expect(playedBitrates(playback, [change(90, 300_000), change(2050, 1_500_000)], 2)).toEqual([
    0.3, 1.5, 1.5,
  ]);
});
