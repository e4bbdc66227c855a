import type { DashjsModule } from "../dash/dashjs-internals.ts";
import { type EstimatorName, FilmPlayer } from "../dash/film-player.ts";
import { appendBounded, type SegmentRecord, type StallRecord, type SwitchRecord } from "../dash/play-log.ts";
import { StallWatch } from "../dash/stall-watch.ts";
import type { MediaPath } from "../library/nuwa-api.ts";
import type { NetworkEstimate } from "../receiver/network-estimate.ts";
import { ReceiverKeeper, type SessionState } from "../receiver/receiver-keeper.ts";
import { appendRecords, type StampRecord } from "../receiver/stamp-record.ts";
import { BandwidthHistory } from "../rules/bandwidth-outlook.ts";
import { RULES, type RuleChoice } from "../rules/registry.ts";
import { type Choices, sessionParameters } from "./choices.ts";
import { type EstimateRecord, epochMs, type Records } from "./nuwa-stream.ts";
import type { MediaServer, ServerConfig } from "./server-config.ts";

/** An hour at one in 100 ms. */
const ESTIMATE_RECORDS = 36_000;

export interface PlaybackOptions {
  readonly dashjs: Promise<DashjsModule>;
  readonly video: HTMLVideoElement;
  readonly config: ServerConfig;
  readonly choices: Choices;
  readonly address: () => Promise<MediaServer | null>;
  readonly onSession: (state: SessionState) => void;
  readonly onPath: (path: MediaPath) => void;
  readonly onError: (message: string) => void;
  readonly onAutoplayRefused: () => void;
}

/** The film with one set of choices at a time; `change` goes on at the same place with others. */
export class Playback {
  readonly #options: PlaybackOptions;
  readonly #stalls: StallWatch;
  readonly #estimates: EstimateRecord[] = [];
  readonly #pastStamps: StampRecord[] = [];
  readonly #pastSwitches: SwitchRecord[] = [];
  readonly #pastSegments: SegmentRecord[] = [];
  #choices: Choices;
  #keeper: ReceiverKeeper | null = null;
  #film: FilmPlayer | null = null;
  #history = new BandwidthHistory();
  #estimate: NetworkEstimate | null = null;
  #generation = 0;
  /** Where to go on, and whether to play, until the new player is there. */
  #resume: { readonly seconds: number; readonly isPlaying: boolean } | null = null;

  constructor(options: PlaybackOptions) {
    this.#options = options;
    this.#choices = options.choices;
    this.#stalls = new StallWatch(options.video, epochMs);
  }

  get choices(): Choices {
    return this.#choices;
  }

  /** Opens the session and the player at once. */
  async start(): Promise<void> {
    const generation = ++this.#generation;
    const { video, config, onError, onAutoplayRefused } = this.#options;
    const { transport, estimator } = this.#choices;
    if (transport === "webtransport") {
      this.#openSession();
    }
    const dashjs = await this.#options.dashjs;
    if (generation !== this.#generation) {
      return;
    }
    this.#film = new FilmPlayer({
      dashjs,
      video,
      manifestUrl: new URL(config.film.manifestUrl, location.href).href,
      rule: this.#rule(),
      estimator: estimator satisfies EstimatorName,
      transport,
      receiver: () => this.#keeper?.current() ?? Promise.reject(new Error("no session is open")),
      estimate: () => this.#estimate,
      outlook: () => this.#history.outlook(),
      startSeconds: this.#resume?.seconds ?? null,
      autoplay: this.#resume?.isPlaying ?? this.#choices.autoplay,
      nowMs: epochMs,
      onError,
      onAutoplayRefused,
    });
  }

  /** Goes on with other choices at the present place: a new session and a new player. */
  async change(choices: Choices): Promise<void> {
    const { currentTime, paused, readyState } = this.#options.video;
    if (readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
      this.#resume = { seconds: currentTime, isPlaying: !paused };
    }
    this.#stop();
    this.#choices = choices;
    await this.start();
  }

  estimate(): NetworkEstimate | null {
    return this.#estimate;
  }

  dashjsBitsPerSecond(): number | null {
    return this.#film?.dashjsBitsPerSecond() ?? null;
  }

  playedBitsPerSecond(): number | null {
    return this.#film?.playedBitsPerSecond() ?? null;
  }

  bufferSeconds(): number {
    return this.#film?.bufferSeconds() ?? 0;
  }

  path(): MediaPath {
    if (this.#choices.transport === "http") {
      return { kind: "http", reason: null };
    }
    return { kind: this.#estimate === null ? "connecting" : "webtransport", reason: null };
  }

  reconnect(): void {
    void this.change(this.#choices);
  }

  /** The segment on the screen; null before the first. */
  shownSegment(): SegmentRecord | null {
    return this.#film?.shownSegment() ?? null;
  }

  lastSwitch(): SwitchRecord | null {
    return this.#film?.switches.at(-1) ?? null;
  }

  firstFrameAtMs(): number | null {
    return this.#stalls.firstFrameAtMs;
  }

  stalls(): StallRecord[] {
    return this.#stalls.records();
  }

  records(): Records {
    return {
      stamps: [...this.#pastStamps, ...(this.#keeper?.records() ?? [])],
      estimates: [...this.#estimates],
      switches: [...this.#pastSwitches, ...(this.#film?.switches ?? [])],
      stalls: this.stalls(),
      segments: [...this.#pastSegments, ...(this.#film?.segments ?? [])],
    };
  }

  #openSession(): void {
    this.#keeper = new ReceiverKeeper({
      address: async () => {
        const server = await this.#options.address();
        if (server === null) {
          throw new Error("The media server is not up; the server's log says why.");
        }
        return server;
      },
      parameters: sessionParameters(this.#choices, this.#options.config),
      onEstimate: (estimate) => this.#onEstimate(estimate),
      onState: this.#options.onSession,
      setTimer: (callback, delayMs) => {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    });
  }

  #onEstimate(estimate: NetworkEstimate): void {
    this.#estimate = estimate;
    const { bandwidthBitsPerSecond, deliveredBitsPerSecond } = estimate;
    if (bandwidthBitsPerSecond !== null) {
      this.#history.add(estimate.atMs / 1000, bandwidthBitsPerSecond, deliveredBitsPerSecond > 0);
    }
    const record: EstimateRecord = {
      atMs: estimate.atMs,
      nuwaBitsPerSecond: bandwidthBitsPerSecond,
      dashjsBitsPerSecond: this.dashjsBitsPerSecond(),
      deliveredBitsPerSecond,
      bufferSeconds: this.bufferSeconds(),
      queueingDelayMs: estimate.queueingDelaySeconds * 1000,
    };
    appendBounded(this.#estimates, record, ESTIMATE_RECORDS);
  }

  #rule(): RuleChoice {
    const rule = RULES.find(({ name }) => name === this.#choices.rule);
    if (rule === undefined) {
      throw new Error(`there is no rule ${this.#choices.rule}`);
    }
    return rule;
  }

  #stop(): void {
    this.#generation += 1;
    this.#stalls.suspend();
    appendRecords(this.#pastStamps, this.#keeper?.records() ?? []);
    for (const record of this.#film?.switches ?? []) {
      appendBounded(this.#pastSwitches, record);
    }
    for (const record of this.#film?.segments ?? []) {
      appendBounded(this.#pastSegments, record);
    }
    this.#film?.close();
    this.#film = null;
    this.#keeper?.close();
    this.#keeper = null;
    this.#history = new BandwidthHistory();
    this.#estimate = null;
  }
}
