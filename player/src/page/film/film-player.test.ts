import { afterEach, expect, it, vi } from "vitest";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import { RuleFault } from "../../dash/rule-fault.ts";
import type { NuwaAttachment } from "../../library/nuwa-api.ts";
import { NO_WISHES } from "../query/wishes.ts";
import { EncoderRun } from "./encoder-run.ts";
import { FilmPlayer } from "./film-player.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("ends a film whose rule is at fault, once its failure is told: it would play on, and look well", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const { film, tell, steps } = makeFilm();
  tell("error", { error: new RuleFault("The rule threw.") });
  await vi.waitFor(() => expect(steps).toEqual(["The rule threw.", "destroyed"]));
  film.wish({ ...NO_WISHES, captions: "en" }); // nothing more is asked of the player
});

it("tells once that a live film's encoder was started again", async () => {
  vi.stubGlobal("MediaSource", { isTypeSupported: () => true });
  const Period = [{ AdaptationSet: [{ Representation: [{ mimeType: "video/mp4" }] }] }];
  const { tell, steps } = makeFilm();
  for (const time of ["11:00:00", "11:00:00", "11:05:00", "11:05:00"]) {
    const availabilityStartTime = new Date(`2026-11-29T${time}Z`);
    tell("manifestLoaded", { data: { type: "dynamic", availabilityStartTime, Period } });
  }
  await vi.waitFor(() => expect(steps).toContain("other run"));
  expect(steps).toEqual(["live", "live", "live", "other run"]);
});

/** A film whose player says what a test has it say; what becomes of it. */
function makeFilm() {
  vi.stubGlobal("document", { baseURI: "http://localhost:8080/" });
  const steps: string[] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const player = {
    updateSettings: () => undefined,
    initialize: () => undefined,
    isReady: () => false,
    on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    destroy: () => steps.push("destroyed"),
  };
  const attachment = { detach: () => undefined } as unknown as NuwaAttachment;
  const film = new FilmPlayer({
    dashjs: { MediaPlayer: () => ({ create: () => player }) } as unknown as DashjsModule,
    video: {} as HTMLVideoElement,
    manifestUrl: "http://localhost:8080/media/manifest.mpd",
    isPrepared: false,
    nuwa: { attach: () => attachment } as never,
    startSeconds: null,
    autoplay: true,
    bufferTargetSeconds: null,
    wishes: NO_WISHES,
    onError: (message) => steps.push(message),
    onManifest: () => steps.push("live"),
    run: new EncoderRun(),
    onOtherRun: () => steps.push("other run"),
    onImpediment: () => undefined,
    onAutoplayRefused: () => undefined,
  });
  return { film, steps, tell: (name: string, event: unknown) => listeners.get(name)?.(event) };
}
