/** The page's player without a page: dash.js, the library and the rules as they are, over a network that is told of. */

import { setImmediate as afterMicrotasks } from "node:timers/promises";
import type { PlayLog } from "../../player/src/dash/play-log.ts";
import type { PreparedSession } from "../../player/src/library/prepare-session.ts";
import { EncoderRun } from "../../player/src/page/film/encoder-run.ts";
import type { FilmPlayer as PageFilmPlayer } from "../../player/src/page/film/film-player.ts";
import { NO_WISHES } from "../../player/src/page/query/wishes.ts";
import { linearQoe } from "../../player/src/qoe/linear-qoe.ts";
import type { NetworkEstimate } from "../../player/src/session/network-estimate.ts";
import { enterEnvironment, PAGE_URL, type VirtualEnvironment } from "./environment.ts";
import type { Film } from "./film.ts";
import type {
  EstimateMessage,
  OpenMessage,
  PlayedFilm,
  SampleMessage,
  StepAnswer,
  StepMessage,
} from "./messages.ts";
import { VirtualSession } from "./session.ts";
import { shownSegments } from "./shown-segments.ts";
import { VirtualVideo } from "./video-element.ts";

const SAMPLE_MS = 1000;

export class VirtualPlayer {
  readonly #environment: VirtualEnvironment;
  readonly #video: VirtualVideo;
  readonly #log: PlayLog;
  readonly #opensAtMs: number;
  readonly #samples: SampleMessage[] = [];
  #session: VirtualSession | null = null;
  #prepared: PreparedSession | null = null;
  #filmPlayer: PageFilmPlayer | null = null;
  #error: string | null = null;

  /** One at a time in a process: dash.js and the library take the process's globals. */
  static async open(film: Film, choices: OpenMessage): Promise<VirtualPlayer> {
    const environment = enterEnvironment((url) =>
      url.endsWith("/quality.json") ? film.quality : film.manifest,
    );
    const { PlayLog: Log } = await import("../../player/src/dash/play-log.ts");
    const player = new VirtualPlayer(environment, new Log());
    player.#plan(choices.seeks);
    await player.#start(film, choices);
    return player;
  }

  private constructor(environment: VirtualEnvironment, log: PlayLog) {
    this.#environment = environment;
    this.#log = log;
    this.#opensAtMs = environment.clock.now;
    this.#video = new VirtualVideo(() => environment.clock.now);
  }

  /** Lets time pass, and tells what the player asks for meanwhile. */
  async step({ untilMs, stopsAtWish, arrivals, estimates }: StepMessage): Promise<StepAnswer> {
    const events = [
      ...arrivals.map((arrival) => ({ atMs: arrival.atMs, happen: () => this.#session?.onArrival(arrival) })),
      ...estimates.map((estimate) => ({ atMs: estimate.atMs, happen: () => this.#tell(estimate) })),
    ].toSorted((a, b) => a.atMs - b.atMs);
    for (const { atMs, happen } of events) {
      await this.#runUntil(atMs, false);
      happen();
    }
    await this.#runUntil(untilMs, stopsAtWish);
    this.#sample();
    const wishes = this.#session?.takeWishes() ?? { requests: [], cancels: [], need: null };
    return { atMs: this.#nowMs, ...wishes, isOver: this.#video.ended || this.#error !== null };
  }

  played(): PlayedFilm {
    const { segments, switches } = this.#log.records();
    const waits = this.#video.waits.map(({ startedAtMs, endedAtMs }) => ({
      startedAtMs: startedAtMs - this.#opensAtMs,
      durationMs: (endedAtMs ?? this.#environment.clock.now) - startedAtMs,
    }));
    const since = (atMs: number): number => atMs - performance.timeOrigin;
    const { firstFrameAtMs, currentTime } = this.#video;
    const seeks = this.#video.seeks.map((seek) => ({
      ...seek,
      startedAtMs: seek.startedAtMs - this.#opensAtMs,
      endedAtMs: seek.endedAtMs === null ? null : seek.endedAtMs - this.#opensAtMs,
    }));
    const fetched = segments
      .filter(({ mediaType }) => mediaType === "video")
      .map((segment) => ({
        ...segment,
        requestedAtMs: since(segment.requestedAtMs),
        endedAtMs: since(segment.endedAtMs),
      }));
    const shown = shownSegments(fetched, { positionSeconds: currentTime, samples: this.#samples, seeks });
    return {
      error: this.#error,
      startupMs: firstFrameAtMs === null ? null : firstFrameAtMs - this.#opensAtMs,
      positionSeconds: currentTime,
      hasEnded: this.#video.ended,
      waits,
      seeks: seeks.map(({ startedAtMs, endedAtMs, ...places }, place) => ({
        startedAtMs,
        durationMs: (endedAtMs ?? seeks[place + 1]?.startedAtMs ?? this.#nowMs) - startedAtMs,
        hasPicture: endedAtMs !== null,
        ...places,
      })),
      qoe: linearQoe({
        segmentMegabitsPerSecond: shown.map(({ bitsPerSecond }) => bitsPerSecond / 1e6),
        rebufferSeconds: waits.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
      }),
      segments: shown.map(({ index, bitsPerSecond, bytes, requestedAtMs, endedAtMs, seeksBefore }) => ({
        index,
        bitsPerSecond,
        bytes,
        requestedAtMs,
        endedAtMs,
        seeksBefore,
      })),
      switches: switches.map(({ atMs, toBitsPerSecond, decidedBy }) => ({
        atMs: since(atMs),
        toBitsPerSecond,
        decidedBy,
      })),
      samples: this.#samples,
    };
  }

  /** Ends its player, so that another may be opened. */
  close(): void {
    this.#filmPlayer?.close();
    this.#prepared?.close();
    this.#environment.leave();
  }

  /** As a viewer goes about: so long after the first frame, if the film is not over by then. */
  #plan(seeks: OpenMessage["seeks"]): void {
    if (seeks.length === 0) return;
    const start = (): void => {
      for (const { afterSeconds, toSeconds } of seeks) {
        setTimeout(() => {
          if (!this.#video.ended) this.#video.seek(toSeconds);
        }, 1000 * afterSeconds);
      }
    };
    this.#video.addEventListener("playing", start, { once: true });
  }

  async #start(film: Film, choices: OpenMessage): Promise<void> {
    const dashjs = await import("dashjs");
    const { prepareSession } = await import("../../player/src/library/prepare-session.ts");
    const { FilmPlayer } = await import("../../player/src/page/film/film-player.ts");
    const nuwa = prepareSession(
      {
        server: { url: "https://media.test", certificateHashes: [], isEmulated: true },
        baseUrl: PAGE_URL,
        rule: choices.rule,
        estimator: choices.estimator,
        fallback: false,
      },
      {
        log: this.#log,
        open: (options) => {
          this.#session = new VirtualSession(film, options, choices.sessionOpensAtMs);
          return this.#session;
        },
      },
    );
    this.#prepared = nuwa;
    this.#filmPlayer = new FilmPlayer({
      dashjs: dashjs,
      video: this.#video as unknown as HTMLVideoElement,
      manifestUrl: `${PAGE_URL}manifest.mpd`,
      nuwa,
      isPrepared: false,
      startSeconds: null,
      autoplay: true,
      bufferTargetSeconds: null,
      wishes: NO_WISHES,
      onError: (message) => {
        this.#error ??= message;
      },
      onImpediment: () => undefined,
      onManifest: () => undefined,
      onOtherRun: () => undefined,
      run: new EncoderRun(),
      onAutoplayRefused: () => undefined,
    });
    await afterMicrotasks();
  }

  get #nowMs(): number {
    return this.#environment.clock.now - this.#opensAtMs;
  }

  /** Timer by timer, so that what a promise's end does happens at its time. */
  async #runUntil(untilMs: number, stopsAtWish: boolean): Promise<void> {
    const { clock } = this.#environment;
    const untilClockMs = this.#opensAtMs + untilMs;
    await afterMicrotasks();
    if (clock.now >= untilClockMs) return;
    const sentinel = setTimeout(() => undefined, untilClockMs - clock.now);
    while (clock.now < untilClockMs && !(stopsAtWish && this.#session?.hasWishes)) {
      clock.next();
      await afterMicrotasks();
    }
    clearTimeout(sentinel);
  }

  #sample(): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && this.#nowMs < last.atMs + SAMPLE_MS) return;
    const attachment = this.#filmPlayer?.attachment;
    this.#samples.push({
      atMs: this.#nowMs,
      positionSeconds: this.#video.currentTime,
      bufferSeconds: this.#video.aheadSeconds,
      bandwidthBitsPerSecond: this.#prepared?.session.estimate.value?.bandwidthBitsPerSecond ?? null,
      dashjsBitsPerSecond: attachment?.dashjsBitsPerSecond() ?? null,
    });
  }

  #tell(estimate: EstimateMessage): void {
    const told: NetworkEstimate = {
      ...estimate,
      atMs: performance.timeOrigin + estimate.atMs,
      cwndBytes: null,
      phase: null,
      silenceSeconds: 0,
      stampsReceived: 0,
      stampsMissing: 0,
      malformedDatagrams: 0,
      hostLateSeconds: 0,
      policy: null,
    };
    this.#session?.onEstimate(told);
  }
}
