import { atom } from "nanostores";
import { afterEach, expect, it, vi } from "vitest";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import { Notice } from "../dom/notice.ts";
import type { Choices } from "../query/choices.ts";
import { SAMPLE_CONFIG } from "../testing/sample-config.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { FilmSide } from "./film-side.ts";
import type { PlaybackOptions } from "./playback.ts";

const { playbacks, live } = vi.hoisted(() => ({
  playbacks: [] as PlaybackOptions[],
  live: { isServed: true, isStalled: true, session: "open" as "open" | "silent" },
}));

vi.mock("./playback.ts", () => ({
  Playback: class {
    readonly choices: Choices;
    readonly hasStarted = true;
    get isServedLive() {
      return live.isServed;
    }
    readonly state = { ...atom(null), get: () => ({ kind: live.session }) };
    readonly estimate = atom(null);
    readonly path = atom({ kind: "connecting", reason: null });
    readonly change = () => Promise.resolve();
    readonly shownSegment = () => null;
    readonly isStalled = () => live.isStalled;
    readonly firstFrameAtMs = () => 0;

    constructor(options: PlaybackOptions) {
      this.choices = options.choices;
      playbacks.push(options);
    }
  },
}));

const CHOICES = { scheme: "nuwa", transport: "webtransport" } as Choices;

class FakeVideo extends EventTarget {
  readonly HAVE_FUTURE_DATA = 3;
  readyState = 4;
  paused = false;
  showFrame: () => void = () => undefined;

  requestVideoFrameCallback(onFrame: () => void): number {
    this.showFrame = onFrame;
    return 0;
  }
}

function made(): { side: FilmSide; video: FakeVideo; notice: Notice } {
  const video = new FakeVideo();
  openSamplePage("index.html");
  const notice = new Notice(document.getElementById("notice") as HTMLElement);
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
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("is shown with its first frame, also where it was not ready before", async () => {
  const { side, video } = made();
  side.fail("The manifest does not come.");
  await expect(side.ready).rejects.toThrow("The manifest does not come.");
  video.showFrame();
  await expect(side.shown).resolves.toBeUndefined();
});

it("offers to begin anew where its film has failed, but for what this browser cannot play", () => {
  vi.stubGlobal("WebTransport", class {});
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  const offered = () => document.querySelector<HTMLButtonElement>("#notice button");
  const failed = made().side;
  failed.prepare(SAMPLE_CONFIG, CHOICES);
  playbacks.at(-1)?.onError("The manifest does not come.");
  offered()?.click();
  expect(reload).toHaveBeenCalledOnce();
  made().side.prepare(SAMPLE_CONFIG, CHOICES);
  playbacks.at(-1)?.onImpediment({ sentence: "This browser cannot decode it.", isFatal: true });
  expect(offered()).toBeNull();
  made().side.prepare(SAMPLE_CONFIG, CHOICES);
  playbacks.at(-1)?.onError("This browser cannot play DASH.", true);
  expect(offered()).toBeNull();
});

it("goes on saying what of a film this browser cannot play when something else is chosen", () => {
  vi.stubGlobal("WebTransport", class {});
  const { side, notice } = made();
  side.prepare(SAMPLE_CONFIG, CHOICES);
  const tell = playbacks.at(-1)?.onImpediment;
  tell?.({ sentence: "It plays without sound.", isFatal: false });
  side.change({ scheme: "cubic" });
  expect(notice.text).toBe("It plays without sound.");
});

it("says of a live film that its encoder brings nothing, once it has waited for long with an open session", () => {
  vi.stubGlobal("WebTransport", class {});
  const now = vi.spyOn(performance, "now");
  const { side, video, notice } = made();
  const saidAt = (seconds: number): boolean => {
    now.mockReturnValue(1000 * seconds);
    side.tick();
    return notice.text?.includes("its encoder may have stopped") === true;
  };
  side.prepare(SAMPLE_CONFIG, CHOICES);
  expect([saidAt(0), saidAt(20)]).toEqual([false, true]);
  live.isStalled = false;
  expect(saidAt(21)).toBe(false);
  Object.assign(live, { isStalled: true, session: "silent" });
  expect([saidAt(30), saidAt(60)]).toEqual([false, false]);
  Object.assign(live, { isStalled: false, session: "open" });
  video.readyState = 1;
  expect([saidAt(70), saidAt(90)], "no stall counts after a change, until it plays").toEqual([false, true]);
  live.isServed = false;
  expect([saidAt(100), saidAt(130)], "what comes from elsewhere is not seen coming").toEqual([false, false]);
});
