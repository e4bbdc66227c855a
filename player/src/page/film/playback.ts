import { atom, type ReadableAtom } from "nanostores";
import type { DashjsModule } from "../../dash/dashjs-internals.ts";
import {
  appendBounded,
  PlayLog,
  type SegmentRecord,
  type StallRecord,
  type SwitchRecord,
} from "../../dash/play-log.ts";
import { StallWatch } from "../../dash/stall-watch.ts";
import { stopAtBufferEnd } from "../../dash/stop-at-buffer-end.ts";
import type { NuwaOptions } from "../../library/nuwa-api.ts";
import { prepareSession } from "../../library/prepare-session.ts";
import type { MediaServerAddress } from "../../options/media-server-address.ts";
import type { FilmConfig } from "../../options/server-config.ts";
import type { MediaPath } from "../../session/media-path.ts";
import type { MediaSession } from "../../session/media-session.ts";
import type { NetworkEstimate } from "../../session/network-estimate.ts";
import type { SessionState } from "../../session/session-state.ts";
import { every } from "../../session/set-timer.ts";
import { watchNews } from "../../session/watch.ts";
import { isTelemetryWanted, reportPlayback } from "../../telemetry/page-telemetry.ts";
import { randomUuid } from "../../telemetry/random-uuid.ts";
import type { PlaybackReporter } from "../../telemetry/report-playback.ts";
import { type EstimateRecord, epochMs, type Records } from "../nuwa-stream.ts";
import { type Choices, sessionParameters } from "../query/choices.ts";
import { NO_WISHES, type Wishes } from "../query/wishes.ts";
import { EncoderRun } from "./encoder-run.ts";
import { FilmPlayer, type FilmPlayerOptions } from "./film-player.ts";
import { Follower } from "./follower.ts";
import { policySource } from "./policy-source.ts";
import type { Impediment } from "./refusals/why-not-played.ts";

/** A quarter of an hour at one in 100 ms: an hour of them would be 4 MB. */
const ESTIMATE_RECORDS = 9_000;
/** What the media server serves, by the same paths. */
const MEDIA_URL = "/media/";
const NO_SESSION: Pick<MediaSession, "state" | "path" | "estimate"> = {
  state: atom(null),
  path: atom<MediaPath>({ kind: "connecting", reason: null }),
  estimate: atom(null),
};

export interface PlaybackOptions {
  readonly dashjs: Promise<DashjsModule>;
  readonly video: HTMLVideoElement;
  readonly config: FilmConfig;
  readonly choices: Choices;
  /** None where nothing is said. */
  readonly wishes?: Wishes;
  /** When it is wished that the film plays, where it does by itself; ms of the epoch. */
  readonly wishedAtMs: () => number;
  /** Where the media server is now; null while it is away. */
  readonly address: (signal: AbortSignal) => Promise<MediaServerAddress | null>;
  /** As the player's. */
  readonly onError: FilmPlayerOptions["onError"];
  /** What of the film this browser cannot play. */
  readonly onImpediment: (impediment: Impediment) => void;
  readonly onAutoplayRefused: () => void;
}

/** The film with one set of choices at a time; `change` goes on at the same place with others. */
export class Playback {
  /** By which the page's server knows the visit; null where nothing is reported to it. */
  readonly sid: string | null;
  /** Takes reports by CMCD of the visit; null where nobody does. */
  readonly cmcdCollector: string | null;
  readonly #options: PlaybackOptions;
  readonly #stalls: StallWatch;
  /** null where nothing is reported to the page's own server. */
  readonly #telemetry: PlaybackReporter | null;
  readonly #log = new PlayLog();
  readonly #estimates: EstimateRecord[] = [];
  /** Of the present session, whichever it is. */
  readonly state: ReadableAtom<SessionState | null>;
  readonly path: ReadableAtom<MediaPath>;
  readonly estimate: ReadableAtom<NetworkEstimate | null>;
  readonly #state = new Follower(NO_SESSION.state.get());
  readonly #path = new Follower(NO_SESSION.path.get());
  readonly #estimate = new Follower(NO_SESSION.estimate.get());
  #session: MediaSession | null = null;
  #choices: Choices;
  #wishes: Wishes;
  #film: FilmPlayer | null = null;
  #closePrepared: () => void = () => undefined;
  readonly #run = new EncoderRun();
  #generation = 0;
  #hasStarted = false;
  #isLive = false;
  /** The player has failed, or there is nothing in the film that it could play. */
  #isOver = false;
  /** The last segment that was on the screen. */
  #shown: SegmentRecord | null = null;
  /** Where to go on, null for where a film begins, and whether to play, until the new player is there. */
  #resume: { readonly seconds: number | null; readonly isPlaying: boolean } | null = null;

  constructor(options: PlaybackOptions) {
    this.#options = options;
    this.#choices = options.choices;
    this.#wishes = options.wishes ?? NO_WISHES;
    this.state = this.#state.store;
    this.path = this.#path.store;
    this.estimate = this.#estimate.store;
    const { video, choices, config } = options;
    this.#stalls = new StallWatch({
      video,
      nowMs: epochMs,
      every,
      onStall: () => this.#telemetry?.stalled(),
      onStallEnd: ({ durationMs }) => this.#telemetry?.stallEnded(durationMs),
    });
    stopAtBufferEnd(video, every);
    const isReporting = isTelemetryWanted(new URLSearchParams(location.search));
    this.cmcdCollector = isReporting ? config.cmcdCollector : null;
    this.sid = isReporting && config.takesTelemetry ? randomUuid() : null;
    this.#telemetry =
      this.sid === null
        ? null
        : reportPlayback({
            video,
            choices,
            sid: this.sid,
            cid: config.film.title,
            now: this,
            nowMs: epochMs,
          });
    watchNews(this.estimate, (estimate) => this.#record(estimate));
    video.addEventListener("playing", () => {
      this.#isOver = false; // what failed for a while
    });
  }

  get choices(): Choices {
    return this.#choices;
  }

  get wishes(): Wishes {
    return this.#wishes;
  }

  /** The player; null before it is made, and while another is. */
  get film(): FilmPlayer | null {
    return this.#film;
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Whether the film is made while it plays, as its newest manifest says, and comes from this server. */
  get isServedLive(): boolean {
    const { manifestUrl } = this.#options.config.film;
    return this.#isLive && new URL(manifestUrl, location.href).origin === location.origin;
  }

  /** Opens the session and the player at once; what plays already is closed, and goes on at the same place. */
  async start(): Promise<void> {
    this.#rememberPlace();
    await this.#begin();
  }

  /** Leaves a place that is no more for the live film's present one. */
  async #startAtPresent(): Promise<void> {
    this.#resume = { seconds: null, isPlaying: !this.#options.video.paused };
    await this.#begin();
  }

  async #begin(): Promise<void> {
    this.#stop();
    if (!this.#hasStarted && this.#choices.autoplay) {
      this.#telemetry?.begin(this.#options.wishedAtMs());
    }
    this.#hasStarted = true;
    this.#isOver = false;
    const generation = this.#generation;
    const { video, config, onError, onImpediment, onAutoplayRefused } = this.#options;
    const nuwa = prepareSession(this.#nuwaOptions(), { log: this.#log });
    this.#show(nuwa.session);
    this.#closePrepared = () => nuwa.close();
    const dashjs = await this.#options.dashjs;
    if (generation !== this.#generation) {
      return;
    }
    this.#film = new FilmPlayer({
      dashjs,
      video,
      manifestUrl: new URL(config.film.manifestUrl, location.href).href,
      isPrepared: config.film.isPrepared,
      nuwa,
      startSeconds: this.#resume?.seconds ?? null,
      autoplay: this.#resume?.isPlaying ?? this.#choices.autoplay,
      bufferTargetSeconds: this.#choices.bufferSeconds,
      wishes: this.#wishes,
      onError: (message, isOfBrowser) => {
        this.#rememberPlace();
        this.#isOver = true;
        this.#telemetry?.failed(message);
        onError(message, isOfBrowser);
      },
      run: this.#run,
      onOtherRun: () => {
        this.#startAtPresent().catch((error: unknown) => onError(String(error)));
      },
      onManifest: (manifest) => {
        this.#isLive = manifest.isLive;
        this.#telemetry?.manifest(manifest);
      },
      onImpediment: (impediment) => {
        this.#isOver ||= impediment.isFatal;
        onImpediment(impediment);
      },
      onAutoplayRefused,
    });
    this.#film.attachment.on("switch", (record) => this.#telemetry?.switched(record));
  }

  /**
   * Goes on with other choices: under the same player where only the session changes, else in a new one at this place, also
   * where the player has failed. Before the start they are kept for it.
   */
  async change(choices: Choices): Promise<void> {
    const isSamePlayer = (["rule", "estimator", "transport"] as const).every(
      (name) => choices[name] === this.#choices[name],
    );
    this.#choices = choices;
    this.#telemetry?.choices(choices);
    if (!this.#hasStarted) {
      return;
    }
    if (this.#film !== null && isSamePlayer && !this.#isOver) {
      this.#film.attachment.change(this.#sessionChoices());
      return;
    }
    await this.start();
  }

  /** Shows the film otherwise; session and player stay. */
  wish(wishes: Partial<Wishes>): void {
    this.#wishes = { ...this.#wishes, ...wishes };
    this.#film?.wish(this.#wishes);
  }

  /** The browser lets it play only once the viewer plays it. */
  waitForViewer(): void {
    this.#telemetry?.wait();
  }

  /** Opens the session anew, also before the player is there: the media server's address has changed. */
  reconnect(): void {
    this.#session?.reconnect();
  }

  dashjsBitsPerSecond(): number | null {
    return this.#film?.attachment.dashjsBitsPerSecond() ?? null;
  }

  /** What is on the screen; between segments, and while the player changes, what was last. null before the first. */
  shownSegment(): SegmentRecord | null {
    this.#shown = this.#film?.shownSegment() ?? this.#shown;
    return this.#shown;
  }

  playedBitsPerSecond(): number | null {
    return this.shownSegment()?.bitsPerSecond ?? null;
  }

  bufferSeconds(): number {
    return this.#film?.bufferSeconds() ?? 0;
  }

  firstFrameAtMs(): number | null {
    return this.#stalls.firstFrameAtMs;
  }

  stalls(): StallRecord[] {
    return this.#stalls.records();
  }

  /** Whether the film waits for data now. */
  isStalled(): boolean {
    return this.#stalls.isStalled;
  }

  lastSwitch(): SwitchRecord | null {
    return this.#log.switches.at(-1) ?? null;
  }

  records(): Records {
    return { ...this.#log.records(), estimates: [...this.#estimates], stalls: this.stalls() };
  }

  #nuwaOptions(): NuwaOptions {
    const { transport, estimator, rule } = this.#choices;
    return {
      ...this.#sessionChoices(),
      rule,
      estimator,
      server: transport === "http" ? null : this.#options.address,
      baseUrl: MEDIA_URL,
      policies: policySource(this.#options.config),
      ...this.#cmcd(),
    };
  }

  #cmcd(): Pick<NuwaOptions, "cmcd"> {
    const collector = this.cmcdCollector;
    return collector === null ? {} : { cmcd: { collector, contentId: this.#options.config.film.title } };
  }

  #sessionChoices(): Pick<NuwaOptions, "scheme" | "preset"> {
    const { scheme, preset, k, targetDelayMs } = this.#choices;
    const hasOwnNumbers = k !== null || targetDelayMs !== null;
    return {
      scheme,
      preset: hasOwnNumbers ? sessionParameters(this.#choices, this.#options.config) : preset,
    };
  }

  #show(session: MediaSession | null): void {
    this.#session = session;
    const { state, path, estimate } = session ?? NO_SESSION;
    this.#state.follow(state);
    this.#path.follow(path);
    this.#estimate.follow(estimate);
  }

  #record(estimate: NetworkEstimate): void {
    if (this.#film === null) {
      return;
    }
    const record: EstimateRecord = {
      atMs: estimate.atMs,
      receiverBitsPerSecond: estimate.bandwidthBitsPerSecond,
      dashjsBitsPerSecond: this.dashjsBitsPerSecond(),
      deliveredBitsPerSecond: estimate.deliveredBitsPerSecond,
      bufferSeconds: this.bufferSeconds(),
      queueingDelayMs: estimate.queueingDelaySeconds * 1000,
      hostLateMs: estimate.hostLateSeconds * 1000,
    };
    appendBounded(this.#estimates, record, ESTIMATE_RECORDS);
  }

  #rememberPlace(): void {
    const { currentTime, paused, readyState, seeking } = this.#options.video;
    // A film that seeks has no data yet where it is going.
    const least = seeking ? HTMLMediaElement.HAVE_METADATA : HTMLMediaElement.HAVE_CURRENT_DATA;
    if (readyState >= least) {
      this.#resume = { seconds: currentTime, isPlaying: !paused };
    }
  }

  #stop(): void {
    this.#generation += 1;
    if (this.#hasStarted) {
      this.#stalls.suspend();
    }
    this.#show(null); // first: to be left is no fallback
    this.#film?.close();
    this.#film = null;
    this.#closePrepared();
    this.#closePrepared = () => undefined;
  }
}
