import type { MediaPlayerClass, MediaType } from "dashjs";
import type { NetworkEstimate } from "../receiver/network-estimate.ts";
import type { Receiver } from "../receiver/receiver.ts";
import { BandwidthHistory, type BandwidthOutlook } from "../rules/bandwidth-outlook.ts";
import type { RuleChoice } from "../rules/registry.ts";
import { CUSTOM_RULES } from "./custom-rules.ts";
import type { DashjsModule, FragmentRequest } from "./dashjs-internals.ts";
import { appendBounded, plainReason, type SegmentRecord, type SwitchRecord } from "./play-log.ts";
import { BUFFER_TARGET_SECONDS, playerSettings, type SegmentTransport } from "./player-settings.ts";
import { segmentLoaderFactory } from "./segment-loader.ts";
import { type ThroughputController, ThroughputSource } from "./throughput-source.ts";

/** Whose estimate dash.js's rules see. */
export type EstimatorName = "nuwa" | "dashjs";

export interface FilmPlayerOptions {
  readonly dashjs: DashjsModule;
  readonly video: HTMLVideoElement;
  /** Absolute. */
  readonly manifestUrl: string;
  readonly rule: RuleChoice;
  readonly estimator: EstimatorName;
  readonly transport: SegmentTransport;
  /** The open receiver, or the next one after a session was lost. Rejects when there will be none. */
  readonly receiver: () => Promise<Pick<Receiver, "request">>;
  readonly estimate: () => NetworkEstimate | null;
  readonly outlook: () => BandwidthOutlook | null;
  /** Where to begin; null for the beginning. */
  readonly startSeconds: number | null;
  readonly autoplay: boolean;
  readonly nowMs: () => number;
  /** One sentence; the film cannot go on. */
  readonly onError: (message: string) => void;
  /** The browser wants a gesture, or silence, before it plays. */
  readonly onAutoplayRefused: () => void;
}

interface LoadedRequest extends FragmentRequest {
  readonly startDate?: Date;
}

/** One dash.js player for one film, with the receiver's loader, estimate and rules in it. */
export class FilmPlayer {
  readonly switches: SwitchRecord[] = [];
  readonly segments: SegmentRecord[] = [];
  readonly #options: FilmPlayerOptions;
  readonly #player: MediaPlayerClass;
  readonly #throughput: ThroughputSource;
  /** What NuwaRule goes by where the receiver's estimate is not to be used. */
  readonly #dashjsHistory = new BandwidthHistory();

  constructor(options: FilmPlayerOptions) {
    this.#options = options;
    const { dashjs, rule, transport } = options;
    this.#player = dashjs.MediaPlayer().create();
    const hasReceiver = options.estimator === "nuwa" && transport === "webtransport";
    this.#throughput = new ThroughputSource({
      estimateBitsPerSecond: hasReceiver ? () => options.estimate()?.bandwidthBitsPerSecond ?? null : null,
    });
    this.#extendPlayer();
    this.#player.updateSettings(playerSettings(rule, transport));
    CUSTOM_RULES[rule.name]?.(this.#player, {
      player: this.#player,
      // A comparison is clean only if the rule is told nothing that dash.js does not know.
      estimate: hasReceiver ? options.estimate : () => null,
      outlook: hasReceiver ? options.outlook : () => this.#dashjsHistory.outlook(),
      bufferTargetSeconds: BUFFER_TARGET_SECONDS,
    });
    this.#listen();
    // dash.js reads rules and extensions here: nothing of the above may come later.
    const start = options.startSeconds ?? undefined;
    this.#player.initialize(options.video, options.manifestUrl, options.autoplay, start);
  }

  bufferSeconds(type: MediaType = "video"): number {
    const seconds = this.#player.isReady() ? this.#player.getBufferLength(type) : Number.NaN;
    return Number.isNaN(seconds) ? 0 : seconds;
  }

  /** dash.js's own estimate; null before its first sample. */
  dashjsBitsPerSecond(): number | null {
    return this.#throughput.dashjsBitsPerSecond();
  }

  /** Bitrate of what is on the screen; null before the first segment. */
  playedBitsPerSecond(): number | null {
    return this.shownSegment()?.bitsPerSecond ?? null;
  }

  /** The segment on the screen; null before the first. */
  shownSegment(): SegmentRecord | null {
    const time = this.#options.video.currentTime;
    return (
      this.segments.findLast(
        ({ mediaType, startSeconds, durationSeconds }) =>
          mediaType === "video" && startSeconds <= time && time < startSeconds + durationSeconds,
      ) ?? null
    );
  }

  close(): void {
    this.#player.destroy();
  }

  #extendPlayer(): void {
    const { transport, receiver, manifestUrl, nowMs } = this.#options;
    const throughput = this.#throughput;
    this.#player.extend(
      "ThroughputController",
      function (this: { parent: ThroughputController }) {
        return throughput.extend(this.parent);
      },
      true,
    );
    if (transport === "webtransport") {
      const factory = segmentLoaderFactory({
        receiver,
        baseUrl: new URL(".", manifestUrl).href,
        nowMs,
        onFailure: (url, error) => console.warn(`${url}: ${error instanceof Error ? error.message : error}`),
      });
      this.#player.extend("XHRLoader", factory, false);
    }
  }

  #listen(): void {
    const player = this.#player;
    player.on("qualityChangeRequested", ({ mediaType, oldRepresentation, newRepresentation, reason }) => {
      if (mediaType === "video" && newRepresentation !== null) {
        // Before the first segment there is nothing to switch from.
        const from = this.switches.length === 0 ? null : (oldRepresentation?.bandwidth ?? null);
        this.#addSwitch(from, newRepresentation.bandwidth, reason);
      }
    });
    player.on("fragmentLoadingCompleted", (event) => {
      const { request, error } = event as unknown as { request: LoadedRequest; error?: object | null };
      if (!error) {
        this.#addSegment(request);
      }
    });
    player.on("playbackNotAllowed", this.#options.onAutoplayRefused);
    player.on("error", (event) => {
      const { error } = event as { error: string | { message?: string } };
      const message = typeof error === "string" ? error : (error.message ?? "unknown error");
      this.#options.onError(`The film cannot be played on: ${message}.`);
    });
  }

  #addSegment(request: LoadedRequest): void {
    const { representation, mediaType } = request;
    if (request.type !== "MediaSegment" || representation === null || mediaType === null) {
      return;
    }
    if (mediaType === "video" && this.switches.length === 0) {
      this.#addSwitch(null, representation.bandwidth, null);
    }
    const endedAtMs = this.#options.nowMs();
    const dashjsBitsPerSecond = this.dashjsBitsPerSecond();
    if (dashjsBitsPerSecond !== null) {
      this.#dashjsHistory.add(endedAtMs / 1000, dashjsBitsPerSecond, true);
    }
    appendBounded(this.segments, {
      mediaType,
      index: request.index,
      startSeconds: request.startTime,
      durationSeconds: request.duration,
      bitsPerSecond: representation.bandwidth,
      bytes: request.bytesLoaded,
      requestedAtMs: request.startDate?.getTime() ?? endedAtMs,
      endedAtMs,
    });
  }

  #addSwitch(fromBitsPerSecond: number | null, toBitsPerSecond: number, reason: unknown): void {
    appendBounded(this.switches, {
      atMs: this.#options.nowMs(),
      fromBitsPerSecond,
      toBitsPerSecond,
      rule: this.#options.rule.name,
      decidedBy: fromBitsPerSecond === null ? "start" : this.#options.rule.name,
      reason: plainReason(reason),
    });
  }
}
