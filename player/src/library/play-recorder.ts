import type { MediaPlayerClass, Representation } from "dashjs";
import { atom, type ReadableAtom } from "nanostores";
import type { FragmentRequest, SwitchRequest } from "../dash/dashjs-internals.ts";
import { listenTo } from "../dash/listen-to.ts";
import {
  appendBounded,
  type DecisionRecord,
  type PlayLog,
  plainReason,
  type SegmentRecord,
  type SwitchRecord,
} from "../dash/play-log.ts";

export interface PlayRecorderOptions {
  readonly player: MediaPlayerClass;
  readonly log: PlayLog;
  /** Name of the chosen rule; null where the player keeps its own. */
  readonly ruleName: string | null;
  readonly nowMs: () => number;
}

interface QualityChange {
  readonly mediaType: string;
  readonly oldRepresentation: Representation | null;
  readonly newRepresentation: Representation | null;
  readonly reason: object | null;
}

interface FragmentEvent {
  readonly request: FragmentRequest;
  readonly error?: object | null;
}

/** Shorter pauses are how links deliver. */
const LEAST_SILENCE_MS = 1000;
/** Of the first representation: no rule chose it. */
const START = "start";
/** Of a change that was asked of the player from outside. */
const MANUAL = "manual";

/** Writes down what dash.js switches and fetches. */
export class PlayRecorder {
  readonly lastSwitch: ReadableAtom<SwitchRecord | null>;
  readonly lastSegment: ReadableAtom<SegmentRecord | null>;
  readonly close: () => void;
  readonly #lastSwitch = atom<SwitchRecord | null>(null);
  readonly #lastSegment = atom<SegmentRecord | null>(null);
  readonly #options: PlayRecorderOptions;
  /** Segments of other players are in the log before these. */
  readonly #sinceMs: number;
  #decision: SwitchRequest | null = null;
  #videoDecision: SwitchRequest | null = null;

  constructor(options: PlayRecorderOptions) {
    this.#options = options;
    this.#sinceMs = options.nowMs();
    this.lastSwitch = this.#lastSwitch;
    this.lastSegment = this.#lastSegment;
    this.close = listenTo(options.player, {
      qualityChangeRequested: (change: QualityChange) => this.#onQualityChange(change),
      fragmentLoadingCompleted: ({ request, error }: FragmentEvent) => error || this.#addSegment(request),
    });
  }

  /** What the rules decided for; the change follows, if it is one. */
  onDecision(decision: SwitchRequest, mediaType: string): void {
    this.#decision = decision;
    if (mediaType === "video") {
      this.#videoDecision = decision;
    }
  }

  /** What the rules decided for video last, if only to stay; null before the first. */
  lastDecision(): DecisionRecord | null {
    const { representation = null, rule = null, reason = null } = this.#videoDecision ?? {};
    return representation === null
      ? null
      : { bitsPerSecond: representation.bandwidth, decidedBy: rule ?? MANUAL, reason: plainReason(reason) };
  }

  /** The video segment last fetched for a place on the timeline; null where there is none. */
  segmentAt(seconds: number): SegmentRecord | null {
    const found = this.#options.log.segments.findLast(
      ({ mediaType, startSeconds, durationSeconds }) =>
        mediaType === "video" && startSeconds <= seconds && seconds < startSeconds + durationSeconds,
    );
    return found === undefined || found.endedAtMs < this.#sinceMs ? null : found;
  }

  #onQualityChange({ mediaType, oldRepresentation, newRepresentation, reason }: QualityChange): void {
    if (mediaType === "video" && newRepresentation !== null) {
      // Before the first segment there is nothing to switch from.
      const from = this.lastSwitch.get() === null ? null : (oldRepresentation?.bandwidth ?? null);
      // dash.js asks its rules and tells of the change in one go, so that the newest decision is the one.
      const isDecided = this.#decision !== null && this.#decision.reason === reason;
      const decidedBy = isDecided ? (this.#decision?.rule ?? MANUAL) : MANUAL;
      this.#addSwitch(from, newRepresentation.bandwidth, decidedBy, reason);
    }
  }

  #addSegment(request: FragmentRequest): void {
    const { representation, mediaType } = request;
    if (request.type !== "MediaSegment" || representation === null || mediaType === null) {
      return;
    }
    if (mediaType === "video" && this.lastSwitch.get() === null) {
      this.#addSwitch(null, representation.bandwidth, START, null);
    }
    const endedAtMs = this.#options.nowMs();
    // dash.js goes by the computer's clock, which can be set, and goes on while the computer sleeps.
    const aheadMs = endedAtMs - Date.now();
    const { startDate, firstByteDate } = request;
    const record: SegmentRecord = {
      mediaType,
      index: request.index,
      startSeconds: request.startTime,
      durationSeconds: request.duration,
      bitsPerSecond: representation.bandwidth,
      bytes: request.bytesLoaded,
      requestedAtMs: startDate ? startDate.getTime() + aheadMs : endedAtMs,
      firstByteAtMs: firstByteDate && firstByteDate.getTime() + aheadMs,
      endedAtMs,
      silentMs: silentMs(request),
    };
    appendBounded(this.#options.log.segments, record);
    this.#lastSegment.set(record);
  }

  #addSwitch(
    fromBitsPerSecond: number | null,
    toBitsPerSecond: number,
    decidedBy: string,
    reason: object | null,
  ): void {
    const record: SwitchRecord = {
      atMs: this.#options.nowMs(),
      fromBitsPerSecond,
      toBitsPerSecond,
      rule: this.#options.ruleName ?? decidedBy,
      decidedBy,
      reason: plainReason(reason),
    };
    appendBounded(this.#options.log.switches, record);
    this.#lastSwitch.set(record);
  }
}

/** Whose times are of what came before: a pause ends with the bytes that follow it. */
function silentMs({ traces }: FragmentRequest): number {
  return traces.reduce((sum, { d }) => sum + (d >= LEAST_SILENCE_MS ? d : 0), 0);
}
