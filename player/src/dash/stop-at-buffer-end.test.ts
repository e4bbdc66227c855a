import { beforeEach, describe, expect, it } from "vitest";
import { StallWatch } from "./stall-watch.ts";
import { stopAtBufferEnd } from "./stop-at-buffer-end.ts";

const HAVE_CURRENT_DATA = 2;
const HAVE_ENOUGH_DATA = 4;

/** As browsers have it: an accessor, whose changes are told later. */
class FakeMedia extends EventTarget {
  ownRate = 1;

  get playbackRate(): number {
    return this.ownRate;
  }

  set playbackRate(rate: number) {
    if (rate === this.ownRate) return;
    this.ownRate = rate;
    queueMicrotask(() => this.dispatchEvent(new Event("ratechange")));
  }
}

/** Plays on by its sound where the pictures end, as Chromium does. */
class FakeVideo extends FakeMedia {
  paused = false;
  seeking = false;
  ended = false;
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
/** Rates, as a listener of the element reads them. */
let rates: number[];
let checks: Set<() => void>;

beforeEach(() => {
  video = new FakeVideo();
  nowMs = 0;
  told = [];
  rates = [];
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
  video.addEventListener("ratechange", () => rates.push(video.playbackRate));
  video.showFrame();
});

function pass(milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    nowMs += 10;
    if (!video.paused) {
      video.currentTime += 0.01 * video.ownRate;
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
    expect(video.ownRate).toBe(1);
    expect(told).toEqual(["waiting at 1.95 s", "playing at 1.95 s"]);
    expect(watch.records()).toHaveLength(1);
    expect(watch.records()[0]?.durationMs).toBeCloseTo(3100, -1);
  });

  it("keeps the viewer's rate for all who ask for it, and tells of no other", async () => {
    pass(3000);
    expect([video.ownRate, video.playbackRate]).toEqual([0, 1]);
    video.ranges = [[0, 4]];
    pass(100);
    await Promise.resolve();
    expect([video.ownRate, video.playbackRate]).toEqual([1, 1]);
    expect(rates).toEqual([]);
  });

  it.each([
    ["a script", (rate: number) => Object.assign(video, { playbackRate: rate })],
    ["the element's menu", (rate: number) => Reflect.set(FakeMedia.prototype, "playbackRate", rate, video)],
  ])("goes on at the rate that the viewer has set meanwhile by %s, which is told once", async (_by, set) => {
    pass(3000);
    await Promise.resolve();
    set(1.5);
    await Promise.resolve();
    expect([video.ownRate, video.playbackRate]).toEqual([0, 1.5]);
    video.ranges = [[0, 4]];
    pass(100);
    await Promise.resolve();
    expect(video.ownRate).toBe(1.5);
    expect(rates).toEqual([1.5]);
  });

  it("goes on at the rate that another source has come with", () => {
    pass(3000);
    Reflect.set(FakeMedia.prototype, "playbackRate", 1.25, video);
    video.dispatchEvent(new Event("emptied"));
    expect(video.playbackRate).toBe(1.25);
  });

  it("stops as long before their end at twice the rate, and has as long ahead when it goes on", () => {
    video.playbackRate = 2;
    pass(2000);
    expect(told).toEqual(["waiting at 1.90 s"]);
    video.ranges = [[0, 2.05]];
    pass(500);
    expect(told).toHaveLength(1);
    video.ranges = [[0, 2.15]];
    pass(50);
    expect(told[1]).toBe("playing at 1.90 s");
  });

  it.each(["seeking", "emptied"])("has its rate again at %s, and is not told to play", (event) => {
    pass(3000);
    video.dispatchEvent(new Event(event));
    expect(video.ownRate).toBe(1);
    expect(told).toEqual(["waiting at 1.95 s"]);
  });

  it("is not told to play where the viewer has paused it", () => {
    pass(3000);
    video.paused = true;
    video.ranges = [[0, 4]];
    pass(100);
    expect(video.ownRate).toBe(1);
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
    expect(video.ownRate).toBe(1);
    expect(told).toEqual([]);
  });
});
