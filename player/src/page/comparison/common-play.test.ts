import { beforeEach, expect, it, vi } from "vitest";
import { CommonPlay } from "./common-play.ts";

class FakeVideo extends EventTarget {
  paused = true;
  ended = false;
  readonly begin = vi.fn();
  play = (): Promise<void> => {
    this.paused = false;
    this.dispatchEvent(new Event("playing"));
    return Promise.resolve();
  };
  pause = (): void => {
    this.paused = true;
  };
}

let videos: readonly [FakeVideo, FakeVideo];
let button: EventTarget & { textContent: string; disabled: boolean; ariaDisabled?: string };
let both: CommonPlay;
let onPlaying: ReturnType<typeof vi.fn<() => void>>;
let nowMs: number;

beforeEach(() => {
  nowMs = 0;
  videos = [new FakeVideo(), new FakeVideo()];
  button = Object.assign(new EventTarget(), { textContent: "Start both", disabled: false });
  onPlaying = vi.fn();
  both = new CommonPlay({
    films: videos.map((video) => ({
      video: video as unknown as HTMLVideoElement,
      begin: video.begin,
      onFailure: () => undefined,
    })),
    button: button as unknown as HTMLButtonElement,
    nowMs: () => nowMs,
    onPlaying,
  });
});

const shown = () => [button.textContent, both.tick()];

it("starts, pauses and goes on with both by one button and one clock", async () => {
  expect(both.isWaiting).toBe(true);
  both.toggle();
  expect(videos.map(({ begin }) => begin.mock.calls.length)).toEqual([1, 1]);
  await Promise.all(videos.map((video) => video.play()));
  nowMs = 5000;
  expect([both.isWaiting, ...shown()]).toEqual([false, "Pause both", "0:05"]);
  button.dispatchEvent(new Event("click"));
  nowMs = 9000;
  expect([...videos.map(({ paused }) => paused), ...shown()]).toEqual([
    true,
    true,
    "Go on with both",
    "0:05",
  ]);
  both.toggle();
  expect(videos.map(({ paused }) => paused)).toEqual([false, false]);
});

it("waits with both, and with the clock, where the browser lets none start by itself", () => {
  both.start();
  nowMs = 2000;
  both.refuse();
  nowMs = 60_000;
  expect(shown()).toEqual(["Start both", "0:00"]);
  void videos[1].play(); // its player came late, and is let
  expect([videos[1].paused, onPlaying.mock.calls.length]).toEqual([true, 0]);
  both.toggle();
  expect(videos.map(({ paused }) => paused)).toEqual([false, false]);
  expect(onPlaying).toHaveBeenCalled();
  nowMs = 63_000;
  expect(shown()).toEqual(["Pause both", "0:03"]);
});

it("ends when both have ended", () => {
  both.start();
  nowMs = 4000;
  Object.assign(videos[0], { ended: true });
  expect(shown()).toEqual(["Pause both", "0:04"]);
  Object.assign(videos[1], { ended: true });
  both.tick();
  expect([button.disabled, button.ariaDisabled, button.textContent]).toEqual([
    false,
    "true",
    "Both have ended",
  ]);
  both.toggle();
  expect(button.textContent).toBe("Both have ended");
});

it("stands from when both have ended, whenever somebody looks", async () => {
  both.start();
  await Promise.all(videos.map((video) => video.play()));
  for (const [place, video] of videos.entries()) {
    nowMs = 4000 + 1000 * place;
    Object.assign(video, { ended: true });
    video.dispatchEvent(new Event("ended"));
  }
  nowMs = 600_000; // the page was hidden meanwhile
  expect([both.tick(), button.textContent]).toEqual(["0:05", "Both have ended"]);
});

it("stands while the browser pauses both, as where nobody sees them, and goes on with them", async () => {
  both.start();
  nowMs = 1000; // start-up counts
  await Promise.all(videos.map((video) => video.play()));
  for (const [place, video] of videos.entries()) {
    nowMs = 5000 + 1000 * place;
    video.pause();
    video.dispatchEvent(new Event("pause"));
  }
  nowMs = 65_000;
  expect(shown()).toEqual(["Pause both", "0:06"]);
  await Promise.all(videos.map((video) => video.play()));
  nowMs = 67_000;
  expect([...shown(), ...videos.map(({ paused }) => paused)]).toEqual(["Pause both", "0:08", false, false]);
});
