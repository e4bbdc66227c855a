import { atom, type WritableAtom } from "nanostores";
import { afterEach, beforeEach, expect, it, type Mock, vi } from "vitest";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import type { NuwaOptions } from "../../library/nuwa-api.ts";
import type { FilmConfig } from "../../options/server-config.ts";
import type { MediaPath } from "../../session/media-path.ts";
import { watch } from "../../session/watch.ts";
import type { Choices } from "../query/choices.ts";
import type { FilmPlayerOptions } from "./film-player.ts";
import { Playback } from "./playback.ts";

interface Opened {
  readonly options: FilmPlayerOptions;
  isClosed: boolean;
}

interface Session {
  readonly options: NuwaOptions;
  readonly signals: { readonly path: WritableAtom<MediaPath>; readonly reconnect: Mock };
  isClosed: boolean;
}

const { begins, films, sessions } = vi.hoisted(() => ({
  begins: [] as number[],
  films: [] as Opened[],
  sessions: [] as Session[],
}));

vi.mock("./policy-source.ts", () => ({ policySource: () => null }));
vi.mock("./film-player.ts", () => ({
  FilmPlayer: class {
    readonly attachment = {
      on: () => undefined,
      change: vi.fn(),
    };
    readonly #opened: Opened;

    constructor(options: FilmPlayerOptions) {
      this.#opened = { options, isClosed: false };
      films.push(this.#opened);
    }

    close(): void {
      this.#opened.isClosed = true;
    }
  },
}));
vi.mock("../../telemetry/page-telemetry.ts", () => ({
  isTelemetryWanted: () => true,
  reportPlayback: () => ({
    begin: (atMs: number) => begins.push(atMs),
    choices: () => undefined,
    failed: () => undefined,
    manifest: () => undefined,
  }),
}));
vi.mock("../../library/prepare-session.ts", () => ({
  prepareSession: (options: NuwaOptions) => {
    const session = {
      options,
      isClosed: false,
      signals: {
        path: atom<MediaPath>({ kind: "connecting", reason: null }),
        state: atom(null),
        estimate: atom(null),
        reconnect: vi.fn(),
      },
    };
    sessions.push(session);
    return {
      session: session.signals,
      close: () => {
        session.isClosed = true;
      },
    };
  },
}));

const CHOICES: Choices = {
  scheme: "nuwa",
  preset: "on-demand",
  rule: "nuwa",
  estimator: "receiver",
  k: null,
  targetDelayMs: null,
  autoplay: true,
  muted: true,
  transport: "webtransport",
  bufferSeconds: null,
};

class FakeVideo extends EventTarget {
  currentTime = 0;
  paused = true;
  seeking = false;
  ended = false;
  readonly buffered = { length: 0 };
  readyState = 0;
  requestVideoFrameCallback = (): number => 0;

  get playbackRate(): number {
    return 1;
  }
}

const CONFIG = {
  film: { title: "Film", manifestUrl: "/media/manifest.mpd" },
  takesTelemetry: true,
  cmcdCollector: null,
} as FilmConfig;

let wishedAtMs: number;
let video: FakeVideo;
let playback: Playback;

beforeEach(() => {
  begins.length = 0;
  films.length = 0;
  sessions.length = 0;
  vi.stubGlobal("location", { search: "", href: "http://localhost:8080/", origin: "http://localhost:8080" });
  vi.stubGlobal("HTMLMediaElement", { HAVE_METADATA: 1, HAVE_CURRENT_DATA: 2 });
  video = new FakeVideo();
  playback = playbackOf(CONFIG);
});

function playbackOf(config: FilmConfig): Playback {
  return new Playback({
    dashjs: Promise.resolve({} as DashjsModule),
    video: video as unknown as HTMLVideoElement,
    config,
    choices: CHOICES,
    wishedAtMs: () => wishedAtMs,
    address: () => Promise.resolve(null),
    onError: () => undefined,
    onImpediment: () => undefined,
    onAutoplayRefused: () => undefined,
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it("keeps what is chosen before the start for the start", async () => {
  await playback.change({ ...CHOICES, rule: "bola" });
  expect([films, sessions]).toEqual([[], []]);
  await playback.start();
  expect(films).toHaveLength(1);
  expect(sessions.map(({ options }) => options.rule)).toEqual(["bola"]);
});

it("reports the start by its wish: neither when it is made, nor with another player for the same film", async () => {
  wishedAtMs = 90_000;
  expect(begins).toEqual([]);
  await playback.start();
  wishedAtMs = 99_000;
  await playback.change({ ...CHOICES, rule: "bola" });
  expect(begins).toEqual([90_000]);
});

it("has one film and one session, however often it is started", async () => {
  const first = playback.start();
  await Promise.all([first, playback.start()]);
  expect([films.length, sessions.map(({ isClosed }) => isClosed)]).toEqual([1, [true, false]]);
  await playback.start();
  expect(films.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  expect(sessions.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);
});

it("goes on at the same place under another rule", async () => {
  await playback.start();
  Object.assign(video, { currentTime: 42, paused: false, readyState: 4 });
  await playback.change({ ...CHOICES, rule: "bola" });
  expect(films.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  expect(films[1]?.options).toMatchObject({ startSeconds: 42, autoplay: true });
});

it("plays a live film's present once its encoder was started again, whose former times are no more", async () => {
  await playback.start();
  Object.assign(video, { currentTime: 448, paused: false, readyState: 4 });
  films[0]?.options.onOtherRun();
  await vi.waitFor(() => expect(films).toHaveLength(2));
  expect(films[0]?.isClosed).toBe(true);
  expect(films[1]?.options).toMatchObject({ startSeconds: null, autoplay: true });
});

it.each([
  ["/media/manifest.mpd", true],
  ["https://elsewhere.example/live.mpd", false],
])("a live film at %s is this server's: %s", async (manifestUrl, isServed) => {
  const live = playbackOf({ ...CONFIG, film: { ...CONFIG.film, manifestUrl } });
  await live.start();
  expect(live.isServedLive).toBe(false);
  films[0]?.options.onManifest({ isLive: true });
  expect(live.isServedLive).toBe(isServed);
});

it("goes on where the viewer was seeking to, which has no data yet", async () => {
  await playback.start();
  Object.assign(video, { currentTime: 300, paused: false, seeking: true, readyState: 1 });
  await playback.change({ ...CHOICES, rule: "bola" });
  expect(films[1]?.options).toMatchObject({ startSeconds: 300, autoplay: true });
});

it("keeps the place of a player that has not begun when the next one comes", async () => {
  await playback.start();
  Object.assign(video, { currentTime: 42, paused: true, readyState: 4 });
  await playback.change({ ...CHOICES, rule: "bola" });
  Object.assign(video, { currentTime: 0, readyState: 0 });
  await playback.change({ ...CHOICES, rule: "dynamic" });
  expect(films[2]?.options).toMatchObject({ startSeconds: 42, autoplay: false });
});

it("starts anew where the player has failed, whatever is chosen then", async () => {
  await playback.start();
  Object.assign(video, { currentTime: 42, paused: false, readyState: 4 });
  films[0]?.options.onError("The film cannot be played on.");
  Object.assign(video, { currentTime: 0, paused: true, readyState: 0 });
  await playback.change({ ...CHOICES, scheme: "cubic" });
  expect(films.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  expect(films[1]?.options).toMatchObject({ startSeconds: 42, autoplay: true });
  films[1]?.options.onImpediment({ sentence: "This browser cannot decode it.", isFatal: true });
  await playback.change({ ...CHOICES, scheme: "nuwa" });
  expect(films).toHaveLength(3);
});

it("keeps a player that plays in spite of an error or an impediment", async () => {
  await playback.start();
  films[0]?.options.onError("The film cannot be played on.");
  films[0]?.options.onImpediment({ sentence: "It plays without sound.", isFatal: false });
  video.dispatchEvent(new Event("playing"));
  await playback.change({ ...CHOICES, scheme: "cubic" });
  expect(films).toHaveLength(1);
});

it("opens the session anew where the media server moves, also before the player is there", async () => {
  const starting = playback.start();
  expect(films).toHaveLength(0);
  playback.reconnect();
  expect(sessions.map(({ signals }) => signals.reconnect.mock.calls.length)).toEqual([1]);
  await starting;
  playback.reconnect();
  expect(sessions.map(({ signals }) => signals.reconnect.mock.calls.length)).toEqual([2]);
});

it("has the stores of the present session, and of no former one", async () => {
  const paths: string[] = [];
  watch(playback.path, ({ kind }) => paths.push(kind));
  await playback.start();
  const [first] = sessions as [Session];
  first.signals.path.set({ kind: "webtransport", reason: null });
  await playback.change({ ...CHOICES, rule: "bola" });
  first.signals.path.set({ kind: "http", reason: "it was left" });
  expect(playback.path.get().kind).toBe("connecting");
  expect(paths).not.toContain("http");
  expect(paths).toContain("webtransport");
});
