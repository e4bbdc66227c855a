import { beforeEach, describe, expect, it } from "vitest";
import { StallWatch } from "./stall-watch.ts";
import { stopAtBufferEnd } from "./stop-at-buffer-end.ts";

const HAVE_CURRENT_DATA = 2;
const HAVE_ENOUGH_DATA = 4;

/** Plays on by its sound where the pictures end, as Chromium does. */
class FakeVideo extends EventTarget {
  paused = false;
  seeking = false;
  ended = false;
  playbackRate = 1;
  currentTime = 0;
  duration = 60;
  readyState = HAVE_ENOUGH_DATA;
  ranges: (readonly [startSeconds: number, endSeconds: number])[] = [[0, 2]];
  showFrame: () => void = () => undefined;

  get buffered(): TimeRanges {
    return {
      length: this.ranges.length,
      start: (place) => this.ranges[place]?.[0] ?? Number.NaN,
      end: (place) => this.ranges[place]?.[1] ?? Number.NaN,
    };
  }

  requestVideoFrameCallback(callback: () => void): number {
    this.showFrame = callback;
    return 0;
  }
}

let video: FakeVideo;
let watch: StallWatch;
let nowMs: number;
let told: string[];
let checks: Set<() => void>;

beforeEach(() => {
  video = new FakeVideo();
  nowMs = 0;
  told = [];
  checks = new Set();
  const every = (callback: () => void): (() => void) => {
    checks.add(callback);
    return () => checks.delete(callback);
  };
  const element = video as unknown as HTMLVideoElement;
  watch = new StallWatch({ video: element, nowMs: () => nowMs, every });
  for (const event of ["waiting", "playing"]) {
    video.addEventListener(event, () => told.push(`${event} at ${video.currentTime.toFixed(2)} s`));
  }
  stopAtBufferEnd(element, every);
  video.showFrame();
});

function pass(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    nowMs += 10;
    if (!video.paused) {
      video.currentTime += 0.01 * video.playbackRate;
    }
    if (nowMs % 50 === 0) {
      for (const check of checks) {
        check();
      }
    }
  }
}

describe("a film whose pictures have run out", () => {
  it("stops there, though its sound plays on, and the time until more has come is a stall", () => {
    pass(5000);
    expect(video.currentTime).toBeCloseTo(2, 1);
    expect(watch.isStalled).toBe(true);

    video.ranges = [[0, 4]];
    pass(1000);
    expect(video.playbackRate).toBe(1);
    expect(told).toEqual(["waiting at 1.95 s", "playing at 1.95 s"]);
    expect(watch.records()).toHaveLength(1);
    expect(watch.records()[0]?.durationMs).toBeCloseTo(3100, -1);
  });

  it("goes on at the rate that the viewer has set meanwhile", () => {
    pass(3000);
    video.playbackRate = 1.5;
    video.dispatchEvent(new Event("ratechange"));
    pass(500);
    expect(video.playbackRate).toBe(0);
    video.ranges = [[0, 4]];
    pass(100);
    expect(video.playbackRate).toBe(1.5);
  });

  it.each(["seeking", "emptied"])("has its rate again at %s, and is not told to play", (event) => {
    pass(3000);
    video.dispatchEvent(new Event(event));
    expect(video.playbackRate).toBe(1);
    expect(told).toEqual(["waiting at 1.95 s"]);
  });

  it("is not told to play where the viewer has paused it", () => {
    pass(3000);
    video.paused = true;
    video.ranges = [[0, 4]];
    pass(100);
    expect(video.playbackRate).toBe(1);
    expect(told).toEqual(["waiting at 1.95 s"]);
  });
});

describe("a film is left alone", () => {
  it.each([
    ["where it says itself that it waits", { readyState: HAVE_CURRENT_DATA }],
    ["while it is paused", { paused: true }],
    ["while it seeks", { seeking: true }],
    ["at its end", { duration: 2.3 }],
    [
      "before a hole that dash.js jumps",
      {
        ranges: [
          [0, 2],
          [2.2, 4],
        ] as const,
      },
    ],
  ])("%s", (_name, state) => {
    Object.assign(video, state);
    pass(2100);
    expect(video.playbackRate).toBe(1);
    expect(told).toEqual([]);
  });
});
