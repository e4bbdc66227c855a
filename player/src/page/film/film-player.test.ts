import { afterEach, expect, it, vi } from "vitest";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import { RuleFault } from "../../dash/rule-fault.ts";
import type { NuwaAttachment } from "../../library/nuwa-api.ts";
import { NO_WISHES } from "../query/wishes.ts";
import { FilmPlayer } from "./film-player.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("ends a film whose rule is at fault, once its failure is told: it would play on, and look well", async () => {
  vi.stubGlobal("document", { baseURI: "http://localhost:8080/" });
  vi.spyOn(console, "error").mockReturnValue();
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
    onManifest: () => undefined,
    onImpediment: () => undefined,
    onAutoplayRefused: () => undefined,
  });
  listeners.get("error")?.({ error: new RuleFault("The rule threw.") });
  await vi.waitFor(() => expect(steps).toEqual(["The rule threw.", "destroyed"]));
  film.wish({ ...NO_WISHES, captions: "en" }); // nothing more is asked of the player
});
