import type { ReadableAtom } from "nanostores";
import type { SwitchRecord } from "../dash/play-log.ts";
import type { EstimatorName } from "../library/nuwa-api.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { PolicyReport } from "../session/policy/policy-report.ts";
import { watch } from "../session/watch.ts";
import { bufferMs, kbps, placeMs, throughputKbps } from "./cmcd-values.ts";
import { networkFields } from "./network-fields.ts";
import { type PlayState, PlayStateWatch, STATE_EVENTS } from "./play-state.ts";
import type { EventFields, EventType, StreamType } from "./vocabulary.ts";

/** CMCD's time interval. */
export const INTERVAL_MS = 5000;

/** States in which nothing changes until somebody acts: one report tells how each was reached. */
const AT_REST: readonly (PlayState | null)[] = ["a", "e", "f"];

/** Way of the segments, and why. */
export interface ReportedPath {
  readonly kind: NonNullable<EventFields["nuwa-path"]>;
  readonly reason: string | null;
}

/** The part of a video element that is reported. */
export type ReportedVideo = Pick<
  HTMLVideoElement,
  "addEventListener" | "currentTime" | "paused" | "seeking" | "ended" | "playbackRate" | "muted"
> & { getVideoPlaybackQuality?(): Pick<VideoPlaybackQuality, "droppedVideoFrames"> };

export interface ReportedPlayback {
  readonly video: ReportedVideo;
  /** Asked at each interval. */
  readonly now: {
    bufferSeconds(): number;
    playedBitsPerSecond(): number | null;
    dashjsBitsPerSecond(): number | null;
    readonly estimate: ReadableAtom<NetworkEstimate | null>;
    readonly path: ReadableAtom<ReportedPath>;
  };
  readonly choices: {
    readonly scheme: string;
    readonly preset: string;
    readonly rule: string;
    readonly estimator: EstimatorName;
  };
  /** @param atMs when it happened, ms of the epoch; absent: now */
  readonly report: (type: EventType, fields: EventFields, atMs?: number) => void;
  readonly tellStreamType: (type: StreamType) => void;
  readonly nowMs: () => number;
  /** @returns what ends it */
  readonly every: (callback: () => void, intervalMs: number) => () => void;
}

/** Turns what happens to a film into events: state, bitrate, path, errors, and a report every 5 s. */
export class PlaybackReporter {
  readonly #options: ReportedPlayback;
  readonly #states = new PlayStateWatch();
  readonly #listening = new AbortController();
  readonly #ends: readonly (() => void)[];
  /** CMCD's br: of the representation selected now. */
  #selectedBitsPerSecond: number | null = null;
  #hasStalled = false;
  /** At the last interval. */
  #reportedState: PlayState | null = null;
  #estimator: EstimatorName = "receiver";
  #path: ReportedPath["kind"] = "connecting";
  /** What was reported of the policy last. */
  #policy: string | null = null;

  constructor(options: ReportedPlayback) {
    this.#options = options;
    this.choices(options.choices);
    this.#listen();
    this.#ends = [
      options.every(() => this.#reportInterval(), INTERVAL_MS),
      watch(options.now.path, (path) => this.#onPath(path)),
      watch(options.now.estimate, (estimate) => this.#onPolicy(estimate?.policy ?? null)),
    ];
  }

  /** Something else was chosen; also what it began with. */
  choices({ scheme, preset, rule, estimator }: ReportedPlayback["choices"]): void {
    this.#estimator = estimator;
    this.#options.report("ce", {
      cen: "nuwa-choices",
      "nuwa-scheme": scheme,
      "nuwa-preset": preset,
      "nuwa-rule": rule,
      "nuwa-estimator": estimator,
    });
  }

  #onPath({ kind, reason }: ReportedPath): void {
    if (kind === this.#path) return;
    this.#path = kind;
    const why = reason === null || reason === "" ? {} : { "nuwa-reason": reason.slice(0, 200) };
    this.#options.report("ce", { cen: "nuwa-path", "nuwa-path": kind, ...why });
  }

  /** How a learned scheme fares with its policy; reported when that changes. null under any other scheme. */
  #onPolicy(report: PolicyReport | null): void {
    if (report === null || report.state === "loading") return;
    const { name, trouble, detail } = report;
    const policy = `${name} ${trouble}`;
    if (policy === this.#policy) return;
    this.#policy = policy;
    const why = trouble === null ? null : detail === null ? trouble : `${trouble}: ${detail}`;
    this.#options.report("ce", {
      cen: "nuwa-policy",
      "nuwa-policy": name.slice(0, 64),
      ...(why !== null && { "nuwa-reason": why.slice(0, 200) }),
    });
  }

  /** The film is to play by itself: the wish is of `atMs`, not of when the element hears of it. */
  begin(atMs: number): void {
    const fields = this.#states.begin(atMs);
    if (fields !== null) this.#options.report("ps", fields, atMs);
  }

  /** The browser wants the viewer to play it. */
  wait(): void {
    const fields = this.#states.wait();
    if (fields !== null) this.#options.report("ps", fields);
  }

  /** The manifest has come. */
  manifest({ isLive }: { readonly isLive: boolean }): void {
    this.#options.tellStreamType(isLive ? "l" : "v");
  }

  switched({
    toBitsPerSecond,
    decidedBy,
  }: Pick<SwitchRecord, "toBitsPerSecond"> & { decidedBy?: string }): void {
    if (toBitsPerSecond === this.#selectedBitsPerSecond) return; // another player that begins with it
    this.#selectedBitsPerSecond = toBitsPerSecond;
    const by = decidedBy === undefined || decidedBy === "" ? {} : { "nuwa-decided": decidedBy.slice(0, 64) };
    this.#options.report("bc", { br: kbps(toBitsPerSecond), ...by, ...this.#place() });
  }

  stalled(): void {
    this.#hasStalled = true;
    this.#options.report("ps", { ...this.#states.stalled(), ...this.#place() });
  }

  stallEnded(lastedMs: number): void {
    const { video, report } = this.#options;
    report("ps", { ...this.#states.stallEnded(lastedMs, video), ...this.#place() });
  }

  /** The film cannot go on. */
  failed(sentence: string): void {
    this.#states.fail();
    this.#options.report("e", { ec: sentence.slice(0, 128) || "unknown", sta: "f", ...this.#place() });
  }

  close(): void {
    this.#listening.abort();
    for (const end of this.#ends) end();
  }

  #listen(): void {
    const { video, report, nowMs } = this.#options;
    const options = { signal: this.#listening.signal };
    for (const event of STATE_EVENTS) {
      video.addEventListener(
        event,
        () => {
          const fields = this.#states.on(event, video, nowMs());
          if (fields !== null) report("ps", { ...fields, ...this.#place() });
        },
        options,
      );
    }
    video.addEventListener("ratechange", () => report("pr", { pr: video.playbackRate }), options);
  }

  #reportInterval(): void {
    const { video, now, report } = this.#options;
    const state = this.#states.state;
    if (state === null) return; // nothing has begun
    if (AT_REST.includes(state) && state === this.#reportedState) return;
    this.#reportedState = state;
    const estimate = now.estimate.get();
    const received = this.#estimator === "receiver" ? estimate?.bandwidthBitsPerSecond : null;
    const measured = received ?? now.dashjsBitsPerSecond();
    const played = now.playedBitsPerSecond();
    const dropped = video.getVideoPlaybackQuality?.().droppedVideoFrames;
    report("t", {
      sta: state,
      bl: bufferMs(now.bufferSeconds()),
      ...this.#place(),
      ...(this.#selectedBitsPerSecond !== null && { br: kbps(this.#selectedBitsPerSecond) }),
      ...(played !== null && { pb: kbps(played) }),
      ...(measured !== null && { mtp: throughputKbps(measured) }),
      ...(video.playbackRate !== 1 && { pr: video.playbackRate }),
      ...(dropped !== undefined && { dfa: dropped }),
      ...((this.#hasStalled || this.#states.isStalled) && { bs: true }),
      "nuwa-path": now.path.get().kind,
      ...networkFields(estimate),
    });
    this.#hasStalled = false;
  }

  #place(): EventFields {
    return { pt: placeMs(this.#options.video.currentTime) };
  }
}
