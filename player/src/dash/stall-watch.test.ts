import { beforeEach, describe, expect, it } from "vitest";
import { StallWatch } from "./stall-watch.ts";

class FakeVideo extends EventTarget {
  paused = false;
  seeking = false;
  ended = false;
  playbackRate = 1;
  currentTime = 0;
  secondsAhead = 0;
  showFrame: () => void = () => undefined;

  get buffered(): TimeRanges {
    return { length: 1, start: () => 0, end: () => this.currentTime + this.secondsAhead };
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
let check: () => void;

beforeEach(() => {
  video = new FakeVideo();
  nowMs = 1000;
  told = [];
  check = () => undefined;
  watch = new StallWatch({
    video: video as unknown as HTMLVideoElement,
    nowMs: () => nowMs,
    every: (callback) => {
      check = callback;
      return () => {
        check = () => undefined;
      };
    },
    onStall: () => told.push(`stall at ${nowMs}`),
    onStallEnd: ({ durationMs }) => told.push(`end after ${Math.round(durationMs)}`),
  });
});

const fire = (event: string): boolean => video.dispatchEvent(new Event(event));

function pass(milliseconds: number, playedSeconds = 0): void {
  for (let passed = 0; passed < milliseconds; passed += 50) {
    nowMs += Math.min(50, milliseconds - passed);
    video.currentTime += (playedSeconds * Math.min(50, milliseconds - passed)) / milliseconds;
    check();
  }
}

/** Waits, and plays on. */
function stallFor(milliseconds: number): void {
  fire("waiting");
  pass(milliseconds);
  fire("playing");
  pass(200, 0.2);
}

const rounded = (): { startedAtMs: number; durationMs: number }[] =>
  watch.records().map((record) => ({ ...record, durationMs: Math.round(record.durationMs) }));

describe("stalls", () => {
  it("are what the film waits after its first frame", () => {
    stallFor(700);
    expect(rounded()).toEqual([]);
    video.showFrame();
    expect(watch.firstFrameAtMs).toBe(1900);
    stallFor(250);
    expect(rounded()).toEqual([{ startedAtMs: 1900, durationMs: 250 }]);
    expect(told).toEqual(["stall at 2000", "end after 250"]);
  });

  it("last 100 ms at least", () => {
    video.showFrame();
    stallFor(10);
    stallFor(99);
    expect(rounded()).toEqual([]);
    expect(told).toEqual([]);
  });

  it("include the present one, up to now", () => {
    video.showFrame();
    fire("waiting");
    pass(400);
    expect(watch.isStalled).toBe(true);
    expect(rounded()).toEqual([{ startedAtMs: 1000, durationMs: 400 }]);
  });

  it.each([
    ["paused", { paused: true }],
    ["seeking", { seeking: true }],
    ["at its end", { ended: true }],
    ["waiting for its decoder, with data ahead", { secondsAhead: 8 }],
  ])("are none while the film is %s", (_name, state) => {
    video.showFrame();
    Object.assign(video, state);
    stallFor(500);
    expect(rounded()).toEqual([]);
  });

  it("end when the playhead moves, whatever the element says of itself", () => {
    video.showFrame();
    fire("waiting");
    pass(300);
    pass(3000, 3);
    expect(watch.isStalled).toBe(false);
    expect(rounded()).toEqual([{ startedAtMs: 1000, durationMs: 300 }]);
  });

  it("go on while the element says that it plays but stands", () => {
    video.showFrame();
    fire("waiting");
    pass(300);
    fire("playing");
    pass(50);
    fire("waiting");
    pass(300);
    expect(rounded()).toEqual([{ startedAtMs: 1000, durationMs: 650 }]);
  });

  it("are not ended by a last frame that was ready", () => {
    video.showFrame();
    fire("waiting");
    video.currentTime += 0.04;
    fire("timeupdate");
    pass(300);
    expect(rounded()).toEqual([{ startedAtMs: 1000, durationMs: 260 }]);
  });

  it("end with a pause and with a seek, and after a seek count again once the film plays", () => {
    video.showFrame();
    fire("waiting");
    pass(300);
    fire("pause");
    pass(300);
    fire("playing");
    fire("waiting");
    pass(200);
    fire("seeking");
    fire("waiting");
    pass(500);
    fire("playing");
    stallFor(150);
    expect(rounded().map(({ durationMs }) => durationMs)).toEqual([300, 200, 150]);
  });

  it("are none while the source changes, and count again once it plays", () => {
    video.showFrame();
    watch.suspend();
    stallFor(300);
    stallFor(200);
    expect(rounded()).toEqual([{ startedAtMs: 1500, durationMs: 200 }]);
  });
});
