import { beforeEach, describe, expect, it, vi } from "vitest";
import { StallWatch } from "./stall-watch.ts";

vi.stubGlobal("HTMLMediaElement", { HAVE_CURRENT_DATA: 2 });

class FakeVideo extends EventTarget {
  paused = false;
  seeking = false;
  ended = false;
  readyState = 4;
  showFrame: () => void = () => undefined;

  requestVideoFrameCallback(callback: () => void): void {
    this.showFrame = callback;
  }

  fire(event: string): void {
    this.dispatchEvent(new Event(event));
  }
}

let video: FakeVideo;
let watch: StallWatch;
let nowMs: number;

beforeEach(() => {
  video = new FakeVideo();
  nowMs = 1000;
  watch = new StallWatch(video as unknown as HTMLVideoElement, () => nowMs);
});

function stallFor(milliseconds: number): void {
  video.fire("waiting");
  nowMs += milliseconds;
  video.fire("playing");
}

describe("stalls", () => {
  it("are what the film waits after its first frame", () => {
    stallFor(700);
    expect(watch.records()).toEqual([]);
    video.showFrame();
    expect(watch.firstFrameAtMs).toBe(1700);
    stallFor(250);
    expect(watch.records()).toEqual([{ startedAtMs: 1700, durationMs: 250 }]);
  });

  it("include the present one, up to now", () => {
    video.showFrame();
    video.fire("waiting");
    nowMs += 400;
    expect(watch.isStalled).toBe(true);
    expect(watch.records()).toEqual([{ startedAtMs: 1000, durationMs: 400 }]);
  });

  it.each([
    ["paused", { paused: true }],
    ["seeking", { seeking: true }],
    ["at its end", { ended: true }],
  ])("are none while the film is %s", (_name, state) => {
    video.showFrame();
    Object.assign(video, state);
    stallFor(500);
    expect(watch.records()).toEqual([]);
  });

  it("are not ended by a last time update without data", () => {
    video.showFrame();
    video.fire("waiting");
    video.readyState = 2;
    nowMs += 10;
    video.fire("timeupdate");
    expect(watch.isStalled).toBe(true);
    video.readyState = 3;
    nowMs += 10;
    video.fire("timeupdate");
    expect(watch.records()).toEqual([{ startedAtMs: 1000, durationMs: 20 }]);
  });

  it("are none while the source changes, and count again once it plays", () => {
    video.showFrame();
    watch.suspend();
    stallFor(300);
    stallFor(200);
    expect(watch.records()).toEqual([{ startedAtMs: 1300, durationMs: 200 }]);
  });
});
