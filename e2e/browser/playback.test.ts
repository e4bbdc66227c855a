import { expect, test } from "vitest";
import type { PlaybackSample } from "./page-process/job.ts";
import { playedSegments, summarisePlayback } from "./playback.ts";

function sample(atMs: number, mediaSeconds: number, isEnded = false, bufferSeconds = 4): PlaybackSample {
  return { atMs, mediaSeconds, bufferSeconds, videoHeight: 360, isEnded };
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

test("a stall says how little of the film it had ahead while it lasted", () => {
  const { stalls } = summarisePlayback({
    navigatedAtMs: 0,
    firstFrameAtMs: 0,
    samples: [sample(0, 0, false, 1), sample(100, 0, false, 0.1), sample(200, 0, false, 2), sample(300, 0.1)],
  });
  expect(stalls.map(({ leastBufferSeconds }) => leastBufferSeconds)).toEqual([0.1]);
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

test("each segment counts once, as it was last downloaded before it was entered", () => {
  const segment = (index: number, bitsPerSecond: number, endedAtMs: number, mediaType = "video") => ({
    ...{ mediaType, index, startSeconds: 2 * index, durationSeconds: 2, bitsPerSecond, endedAtMs },
    ...{ bytes: 1000, requestedAtMs: endedAtMs - 50 },
  });
  const playback = {
    navigatedAtMs: 0,
    firstFrameAtMs: 100,
    samples: [sample(150, 0), sample(1000, 1.2), sample(2100, 2.1), sample(3000, 3), sample(4100, 4.05)],
  };
  const segments = [
    segment(0, 300_000, 90),
    segment(0, 128_000, 91, "audio"),
    segment(1, 300_000, 500),
    segment(1, 1_500_000, 900), // downloaded again, better, before it was entered
    segment(1, 8_000_000, 2050), // entered at 2000, before it came
    segment(2, 1_500_000, 1200),
    segment(2, 8_000_000, 9000), // too late
  ];
  const played = playedSegments(playback, segments);
  expect(played.map(({ bitsPerSecond }) => bitsPerSecond)).toEqual([300_000, 1_500_000, 1_500_000]);
});
