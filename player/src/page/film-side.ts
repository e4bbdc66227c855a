import type { Band } from "../charts/bands.ts";
import type { Mark } from "../charts/marks.ts";
import type { DashjsModule } from "../dash/dashjs-internals.ts";
import type { ShownVideo } from "../downloads/session-moment.ts";
import { RunningQoe } from "../qoe/running-qoe.ts";
import type { MediaPath } from "../session/media-path.ts";
import type { PolicyReport } from "../session/policy/policy-report.ts";
import type { SessionState } from "../session/session-state.ts";
import { watch } from "../session/watch.ts";
import { DelayStatistics } from "../statistics/delay-statistics.ts";
import { blockedUdpSentence } from "./blocked-udp.ts";
import { changeLabel, linkChangeLabel } from "./change-label.ts";
import type { Choices } from "./choices.ts";
import type { LinkChange } from "./link-panel.ts";
import { noWebTransportNotice } from "./no-webtransport.ts";
import type { Notice, NoticeAction } from "./notice.ts";
import { epochMs, type NuwaStream, type Records, type Snapshot } from "./nuwa-stream.ts";
import { PathPeriods } from "./path-periods.ts";
import { Playback } from "./playback.ts";
import { policySentence } from "./sentences.ts";
import { fetchLane, type LinkState, type ServerConfig, StalePage } from "./server-config.ts";
import { asSentence } from "./units.ts";
import { NO_WISHES, type Wishes } from "./wishes.ts";

const OVER_HTTP = "the film comes over HTTP and the receiver does not control congestion";

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
  /** Before what one of two films says. */
  readonly #matter: string;
  #quality = new RunningQoe();
  #playback: Playback | null = null;
  #mediaServerUrl: string | null = null;
  /** A session was open once, so the way for UDP is there. */
  #wasOpen = false;
  #isUdpBlocked = false;
  /** What keeps the film from playing. */
  #failure: string | null = null;
  #config: ServerConfig | null = null;
  readonly #marks: { readonly atSeconds: number; readonly label: string; readonly isOfLink: boolean }[] = [];
  /** When start-up began: the page's opening, or the start of both films. */
  #openedAtMs = performance.timeOrigin;
  #rejectReady: (reason: Error) => void = () => undefined;

  constructor(options: FilmSideOptions) {
    this.#options = options;
    this.#matter = `film ${options.lane}`;
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
  prepare(config: ServerConfig, choices: Choices, wishes: Wishes = NO_WISHES): Playback {
    const { video, dashjs, lane, onAutoplayRefused } = this.#options;
    video.muted = choices.muted;
    this.#config = config;
    this.#mediaServerUrl = config.transport?.laneUrls[lane] ?? null;
    this.#playback = new Playback({
      dashjs,
      video,
      config,
      choices: this.#possible(choices),
      wishes,
      address: (signal) => fetchLane(lane, signal),
      onError: (message) => this.fail(message),
      onImpediment: ({ sentence, isFatal }) => {
        if (isFatal) {
          this.fail(sentence);
        } else {
          this.#tell(sentence, `${this.#matter}: impediment`);
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
      this.#options.notice.clear(this.#matter);
      this.#failure = null;
      const choices = this.#possible({ ...this.#playback.choices, ...changes });
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
    const estimate = this.#playback?.estimate.value ?? null;
    this.#quality.watch(this.#playback?.shownSegment() ?? null);
    if (estimate !== null && estimate.deliveredBitsPerSecond > 0) {
      this.#delays.add(1000 * estimate.queueingDelaySeconds);
    }
    this.#sayHowPolicyFares(estimate?.policy ?? null);
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

  /** The film cannot go on. A refused session is the cause of whatever fails after it, so its sentence stays. */
  fail(message: string, action: NoticeAction | null = null): void {
    if (this.#failure !== null) {
      return; // what followed from it says less
    }
    this.#failure = message;
    if (this.#playback?.state.value?.kind !== "refused") {
      this.#options.notice.show(message, this.#matter, action);
    }
    this.#rejectReady(new Error(message));
  }

  /** What failed for a while plays. */
  #recover(): void {
    if (this.#failure !== null) {
      this.#failure = null;
      this.#options.notice.clear(this.#matter);
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
      session: playback?.state.value?.kind ?? null,
      notice: notice.text,
      failure: this.#failure,
      video: shownVideo(video),
      estimate: playback?.estimate.value ?? null,
      dashjsBitsPerSecond: playback?.dashjsBitsPerSecond() ?? null,
      playedBitsPerSecond: playback?.playedBitsPerSecond() ?? null,
      bufferSeconds: playback?.bufferSeconds() ?? 0,
      currentSeconds: video.currentTime,
      isPaused: video.paused,
      stallCount: stalls.length,
      stalledMs,
      path: playback?.path.value ?? null,
      qoe: this.#quality.summary({
        startupSeconds: firstFrameAtMs === null ? null : (firstFrameAtMs - this.#openedAtMs) / 1000,
        stalls,
      }),
      link: link(),
    };
  }

  records(): Records {
    return this.#playback?.records() ?? { stamps: [], estimates: [], switches: [], stalls: [], segments: [] };
  }

  #mark(label: string | null, isOfLink: boolean): void {
    if (label !== null && this.#playback?.hasStarted === true) {
      this.#marks.push({ atSeconds: epochMs() / 1000, label, isOfLink });
    }
  }

  /** HTTP instead of a WebTransport that is not there, with a notice. */
  #possible(choices: Choices): Choices {
    if ("WebTransport" in globalThis || choices.transport === "http") {
      return choices;
    }
    const page = { isSecure: isSecureContext, origin: location.origin, userAgent: navigator.userAgent };
    this.#options.notice.show(noWebTransportNotice(page, OVER_HTTP), `${this.#matter}: browser`);
    return { ...choices, transport: "http", estimator: "dashjs" };
  }

  /** The newest report may still be of a scheme that was chosen before. */
  #sayHowPolicyFares(report: PolicyReport | null): void {
    const matter = `${this.#matter}: policy`;
    const scheme = this.#playback?.choices.scheme;
    const title = this.#config?.schemes.find(({ name }) => name === scheme)?.title ?? "The scheme";
    const sentence = report?.scheme === scheme ? policySentence(report, title) : null;
    if (sentence === null) {
      this.#options.notice.clear(matter);
    } else {
      this.#tell(sentence, matter);
    }
  }

  /** Unless it is said already: another sentence that came later stays the one that is read. */
  #tell(sentence: string, matter: string): void {
    const { notice } = this.#options;
    if (!notice.says(sentence, matter)) {
      notice.show(sentence, matter);
    }
  }

  #onPath(path: MediaPath): void {
    const { notice } = this.#options;
    const matter = `${this.#matter}: path`;
    this.#paths.add(epochMs() / 1000, path.kind);
    const isChosen = this.#playback?.choices.transport === "http";
    if (this.#failure !== null) {
      return; // it says more than what became of the session
    }
    this.#isUdpBlocked ||= path.kind === "http" && this.#isUnanswered();
    if (path.kind === "http" && this.#isUdpBlocked) {
      notice.show(blockedUdpSentence(this.#mediaServerUrl), matter);
    } else if (path.kind === "http" && path.reason !== null && !isChosen) {
      notice.show(asSentence(`${path.reason.replace(/\.$/, "")}; the film comes over HTTP`), matter);
    } else {
      notice.clear(matter);
    }
  }

  /** Its handshake waits still: where it were refused the browser would have said so. */
  #isUnanswered(): boolean {
    return !this.#wasOpen && this.#playback?.state.value?.kind === "opening";
  }

  #onSession(state: SessionState | null): void {
    const { notice } = this.#options;
    const matter = `${this.#matter}: session`;
    switch (state?.kind) {
      case "open":
        this.#wasOpen = true;
        this.#isUdpBlocked = false;
        notice.clear(matter);
        break;
      case "lost":
        if (this.#isUdpBlocked) {
          break; // said already, with its cause
        }
        notice.show(
          state.error instanceof StalePage
            ? state.error.message
            : asSentence(`${state.error.message.replace(/\.$/, "")}; trying again`),
          matter,
        );
        break;
      case "refused":
        notice.show(
          `The media server refuses the session: ${state.error.message.replace(/\.$/, "")}.`,
          matter,
        );
        this.#rejectReady(state.error);
        break;
      default:
        break;
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
