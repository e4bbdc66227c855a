import { afterEach, expect, it, vi } from "vitest";
import type { DashjsModule } from "../dash/dashjs-internals.ts";
import { FilmSide } from "./film-side.ts";
import { Notice } from "./notice.ts";

class FakeVideo extends EventTarget {
  showFrame: () => void = () => undefined;

  requestVideoFrameCallback(onFrame: () => void): number {
    this.showFrame = onFrame;
    return 0;
  }
}

function made(): { side: FilmSide; video: FakeVideo; notice: Notice } {
  const video = new FakeVideo();
  const notice = new Notice({ hidden: true, textContent: null } as unknown as HTMLElement);
  const side = new FilmSide({
    video: video as unknown as HTMLVideoElement,
    notice,
    dashjs: Promise.resolve({} as DashjsModule),
    lane: 0,
    link: () => null,
    onAutoplayRefused: () => undefined,
  });
  return { side, video, notice };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it("is shown with its first frame, also where it was not ready before", async () => {
  const { side, video } = made();
  side.fail("The manifest does not come.");
  await expect(side.ready).rejects.toThrow("The manifest does not come.");
  video.showFrame();
  await expect(side.shown).resolves.toBeUndefined();
});
