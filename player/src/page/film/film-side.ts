import type { Band } from "../../charts/bands.ts";
import type { Mark } from "../../charts/marks.ts";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import type { ShownVideo } from "../../downloads/session-moment.ts";
import type { FilmConfig, LinkState, SchemeEntry } from "../../options/server-config.ts";
import { type PlaybackTimes, type QoeSummary, RunningQoe } from "../../qoe/running-qoe.ts";
import type { MediaPath } from "../../session/media-path.ts";
import type { SessionState } from "../../session/session-state.ts";
import { watch } from "../../session/watch.ts";
import { DelayStatistics } from "../../statistics/delay-statistics.ts";
import type { Notice, NoticeAction } from "../dom/notice.ts";
import { RELOAD } from "../dom/reload.ts";
import { fetchLane } from "../fetch-config.ts";
import type { LinkChange } from "../link/link-panel.ts";
import { epochMs, type NuwaStream, type Records, type Snapshot } from "../nuwa-stream.ts";
import type { Choices } from "../query/choices.ts";
import { NO_WISHES, type Wishes } from "../query/wishes.ts";
import { changeLabel, linkChangeLabel } from "./change-label.ts";
import { EncoderSilence } from "./encoder-silence.ts";
import { PathPeriods } from "./path-periods.ts";
import { Playback } from "./playback.ts";
import { SideNotices } from "./refusals/side-notices.ts";

export interface FilmSideOptions {
  readonly video: HTMLVideoElement;
  readonly notice: Notice;
  readonly dashjs: Promise<DashjsModule>;
  readonly lane: 0 | 1;
  readonly link: () => LinkState | null;
  readonly onAutoplayRefused: () => void;
}

/** One film in a page: its playback, what is known of its quality so far, and what its viewer is told. */
export class FilmSide implements NuwaStream {
  readonly ready: Promise<void>;
  /** Resolves with the first frame, whatever failed before it; never rejects. */
  readonly shown: Promise<void>;
  readonly #options: FilmSideOptions;
  #delays = new DelayStatistics();
  readonly #paths = new PathPeriods();
  readonly #encoder = new EncoderSilence();
  readonly #notices: SideNotices;
  readonly #wholeQuality = new RunningQoe();
  /** Since the last change. */
  #quality = new RunningQoe();
  #playback: Playback | null = null;
  /** What keeps the film from playing. */
  #failure: string | null = null;
  #config: FilmConfig | null = null;
  readonly #marks: { readonly atSeconds: number; readonly label: string; readonly isOfLink: boolean }[] = [];
  /** When start-up began: the page's opening, or the start of both films. */
  #openedAtMs = performance.timeOrigin;
  #rejectReady: (reason: Error) => void = () => undefined;

  constructor(options: FilmSideOptions) {
    this.#options = options;
    this.#notices = new SideNotices(options.notice, options.lane);
    this.shown = new Promise<void>((resolve) => {
      options.video.requestVideoFrameCallback(() => resolve());
    });
    this.ready = new Promise<void>((resolve, reject) => {
      this.#rejectReady = reject;
      void this.shown.then(resolve);
    });
    options.video.addEventListener("playing", () => this.#recover());
    this.ready.catch(() => undefined); // shown in the notice; whoever waits for it hears of it there
  }

  get playback(): Playback | null {
    return this.#playback;
  }

  /** Makes the playback, which `start` starts. */
  prepare(config: FilmConfig, choices: Choices, wishes: Wishes = NO_WISHES): Playback {
    const { video, dashjs, lane, onAutoplayRefused } = this.#options;
    video.muted = choices.muted;
    this.#config = config;
    const { transport } = config;
    this.#notices.mediaServer = transport && { ...transport, url: transport.laneUrls[lane] };
    this.#playback = new Playback({
      dashjs,
      video,
      config,
      choices: this.#notices.possible(choices),
      wishes,
      wishedAtMs: () => this.#openedAtMs,
      address: (signal) => fetchLane(lane, signal),
      onError: (message, isOfBrowser = false) => this.fail(message, isOfBrowser ? null : RELOAD),
      onImpediment: ({ sentence, isFatal }) => {
        if (isFatal) {
          this.fail(sentence, null);
        } else {
          this.#notices.onImpediment(sentence);
        }
      },
      onAutoplayRefused,
    });
    watch(this.#playback.state, (state) => this.#onSession(state));
    watch(this.#playback.path, (path) => this.#onPath(path));
    return this.#playback;
  }

  /** From here on start-up is counted. */
  beginNow(): void {
    this.#openedAtMs = epochMs();
  }

  change(changes: Partial<Choices>): void {
    if (this.#playback !== null) {
      this.#notices.clearFailure();
      this.#failure = null;
      const choices = this.#notices.possible({ ...this.#playback.choices, ...changes });
      this.#mark(this.#config === null ? null : changeLabel(changes, this.#config), false);
      this.#playback.change(choices).catch((error: unknown) => this.fail(String(error)));
      this.countAnew();
    }
  }

  /** Another link is emulated, or the same with other numbers. */
  onLink({ link, former, hasMoved }: LinkChange): void {
    this.#mark(linkChangeLabel(link, former), true);
    this.countAnew();
    if (hasMoved && this.#playback?.hasStarted === true) {
      this.#playback.reconnect();
    }
  }

  /** Begins the quality of experience anew, if it has begun: whoever compares choices wants each one's own. */
  countAnew(): void {
    if (this.#playback?.hasStarted !== true) {
      return;
    }
    this.#quality = new RunningQoe(epochMs());
    this.#delays = new DelayStatistics();
  }

  /** To be called some times a second. */
  tick(): void {
    const estimate = this.#playback?.estimate.get() ?? null;
    const shown = this.#playback?.shownSegment() ?? null;
    this.#wholeQuality.watch(shown);
    this.#quality.watch(shown);
    if (estimate !== null && estimate.deliveredBitsPerSecond > 0) {
      this.#delays.add(1000 * estimate.queueingDelaySeconds);
    }
    this.#notices.onPolicy(estimate?.policy ?? null, this.#scheme());
    this.#notices.onEncoder(
      this.#encoder.isLong({
        atMs: epochMs(),
        isWaiting: this.#isWaitingForEncoder(),
        deliveredBitsPerSecond: estimate?.deliveredBitsPerSecond ?? 0,
      }),
    );
  }

  /** Mean and 95th percentile of the queueing delay while something was delivered; null before that. */
  queueingDelayMs(): { readonly mean: number | null; readonly p95: number | null } {
    return { mean: this.#delays.meanMs(), p95: this.#delays.quantileMs(0.95) };
  }

  /** Whether the film waits for data now. */
  isStalled(): boolean {
    return this.#playback?.isStalled() ?? false;
  }

  /** What charts mark, seconds of the epoch; `side` of two films. */
  bands(side: 0 | 1 | null): Band[] {
    const stalls = (this.#playback?.stalls() ?? []).map(({ startedAtMs, durationMs }) => ({
      kind: "stall" as const,
      fromSeconds: startedAtMs / 1000,
      toSeconds: (startedAtMs + durationMs) / 1000,
      side,
    }));
    return [...stalls, ...this.#paths.overHttp(side)];
  }

  /** Where choices or the link were changed, for charts; `side` of two films, which share the link. */
  marks(side: 0 | 1 | null): Mark[] {
    return this.#marks.map(({ isOfLink, ...mark }) => ({ ...mark, side: isOfLink ? null : side }));
  }

  /** The film cannot go on. `action` is null where nothing that the page could do helps. */
  fail(message: string, action: NoticeAction | null = RELOAD): void {
    if (this.#failure !== null) {
      return; // what followed from it says less
    }
    this.#failure = message;
    this.#notices.showFailure(message, action);
    this.#rejectReady(new Error(message));
  }

  /** What failed for a while plays. */
  #recover(): void {
    if (this.#failure !== null) {
      this.#failure = null;
      this.#notices.clearFailure();
    }
  }

  snapshot(): Snapshot {
    const { video, notice, link } = this.#options;
    const playback = this.#playback;
    const stalls = playback?.stalls() ?? [];
    const firstFrameAtMs = playback?.firstFrameAtMs() ?? null;
    const stalledMs = stalls.reduce((sum, { durationMs }) => sum + durationMs, 0);
    return {
      atMs: epochMs(),
      openedAtMs: this.#openedAtMs,
      firstFrameAtMs,
      crossOriginIsolated,
      choices: playback?.choices ?? null,
      session: playback?.state.get()?.kind ?? null,
      notice: notice.text,
      failure: this.#failure,
      video: shownVideo(video),
      estimate: playback?.estimate.get() ?? null,
      dashjsBitsPerSecond: playback?.dashjsBitsPerSecond() ?? null,
      playedBitsPerSecond: playback?.playedBitsPerSecond() ?? null,
      bufferSeconds: playback?.bufferSeconds() ?? 0,
      currentSeconds: video.currentTime,
      isPaused: video.paused,
      stallCount: stalls.length,
      stalledMs,
      path: playback?.path.get() ?? null,
      qoe: this.#quality.summary(this.#times()),
      link: link(),
    };
  }

  /** Of the film as a whole, whatever was changed. */
  wholeQuality(): QoeSummary {
    return this.#wholeQuality.summary(this.#times());
  }

  records(): Records {
    return this.#playback?.records() ?? { stamps: [], estimates: [], switches: [], stalls: [], segments: [] };
  }

  #times(): PlaybackTimes {
    const firstFrameAtMs = this.#playback?.firstFrameAtMs() ?? null;
    return {
      startupSeconds: firstFrameAtMs === null ? null : (firstFrameAtMs - this.#openedAtMs) / 1000,
      stalls: this.#playback?.stalls() ?? [],
    };
  }

  /** A live film stands still, or never began, though its session is open. What comes over HTTP, or from elsewhere, is not seen coming. */
  #isWaitingForEncoder(): boolean {
    const playback = this.#playback;
    const { paused, readyState, HAVE_FUTURE_DATA } = this.#options.video;
    return (
      playback?.isServedLive === true &&
      playback.state.get()?.kind === "open" &&
      this.#failure === null &&
      (playback.isStalled() || (!paused && readyState < HAVE_FUTURE_DATA)) // after a change no stall counts until it plays
    );
  }

  #mark(label: string | null, isOfLink: boolean): void {
    if (label !== null && this.#playback?.hasStarted === true) {
      this.#marks.push({ atSeconds: epochMs() / 1000, label, isOfLink });
    }
  }

  /** As the server's menu has it; null before there is a film. */
  #scheme(): SchemeEntry | null {
    const name = this.#playback?.choices.scheme;
    return this.#config?.schemes.find((scheme) => scheme.name === name) ?? null;
  }

  #onPath(path: MediaPath): void {
    this.#paths.add(epochMs() / 1000, path.kind);
    if (this.#failure === null) {
      const { choices, state } = this.#playback ?? {};
      this.#notices.onPath(path, choices?.transport ?? null, state?.get()?.kind ?? null);
    }
  }

  #onSession(state: SessionState | null): void {
    this.#notices.onSession(state);
    if (state?.kind === "refused") {
      this.#rejectReady(state.error);
    }
  }
}

function shownVideo(video: HTMLVideoElement): ShownVideo {
  const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
  return {
    widthPixels: video.videoWidth,
    heightPixels: video.videoHeight,
    frames: totalVideoFrames,
    droppedFrames: droppedVideoFrames,
  };
}
