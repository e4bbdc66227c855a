import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Notice } from "../dom/notice.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { FilmControls, type FilmControlsOptions } from "./film-controls.ts";

class FakeVideo extends EventTarget {
  readonly textTracks = new EventTarget();
  paused = true;
  play = (): Promise<void> => Promise.resolve();
  pause = (): void => undefined;
}

let video: FakeVideo;
let notice: Notice;
let press: (key: string) => void;

beforeEach(() => {
  const window = openSamplePage("index.html");
  video = new FakeVideo();
  notice = new Notice(window.document.getElementById("notice") as unknown as HTMLElement);
  new FilmControls({
    side: { snapshot: () => ({ video: null, playedBitsPerSecond: null, bufferSeconds: 0 }) },
    playback: { wishes: { loops: false }, film: null, lastSwitch: () => null },
    video,
    notice,
  } as unknown as FilmControlsOptions);
  press = (key) => window.document.dispatchEvent(new window.KeyboardEvent("keydown", { key }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("says why the browser does not play, until it plays", async () => {
  video.play = () => Promise.reject(new DOMException("The browser wants a gesture.", "NotAllowedError"));
  press("k");
  await vi.waitFor(() => expect(notice.text).toBe("The browser wants a gesture."));
  video.dispatchEvent(new Event("playing"));
  expect(notice.text).toBeNull();
});

it("says nothing of a pause that came before the film had begun", async () => {
  const refused = Promise.reject(new DOMException("Interrupted by pause().", "AbortError"));
  video.play = () => refused;
  press("k");
  await refused.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
  expect(notice.text).toBeNull();
});
