import type { StallRecord } from "../dash/play-log.ts";
import { linearQoe } from "./linear-qoe.ts";

/** A segment that is on the screen. */
export interface ShownSegment {
  readonly index: number;
  readonly bitsPerSecond: number;
  /** ms of the epoch. */
  readonly requestedAtMs: number;
}

export interface PlaybackTimes {
  /** From opening the page to the first frame; null before it. */
  readonly startupSeconds: number | null;
  /** All of them, also those from before the counting began. */
  readonly stalls: readonly StallRecord[];
}

/** The quality of what was played so far. null where nothing was. */
export interface QoeSummary {
  /** Since when it counts; null for all of the film. */
  readonly sinceMs: number | null;
  /** From opening the page to the first frame; null before it, and where counting began later. */
  readonly startupSeconds: number | null;
  readonly stallCount: number;
  readonly stalledSeconds: number;
  /** Changes of bitrate between neighbouring segments that were shown. */
  readonly switches: number;
  readonly meanBitsPerSecond: number | null;
  /** QoE_lin so far. */
  readonly linear: number | null;
  /** QoE_lin per segment, which does not grow with the time watched. */
  readonly linearPerSegment: number | null;
}

/** Collects the segments that a film enters, for its QoE while it plays. */
export class RunningQoe {
  readonly #bitsPerSecond: number[] = [];
  readonly #sinceMs: number | null;
  #lastIndex: number | null = null;

  /** Counts what is fetched from a time on, ms of the epoch, since what was buffered is of former choices; null for all. */
  constructor(sinceMs: number | null = null) {
    this.#sinceMs = sinceMs;
  }

  /** To be told several times a segment what is on the screen. */
  watch(shown: ShownSegment | null): void {
    const isOwn = shown !== null && (this.#sinceMs === null || shown.requestedAtMs >= this.#sinceMs);
    if (isOwn && shown.index !== this.#lastIndex) {
      this.#bitsPerSecond.push(shown.bitsPerSecond);
      this.#lastIndex = shown.index;
    }
  }

  summary({ startupSeconds, stalls }: PlaybackTimes): QoeSummary {
    const played = this.#bitsPerSecond;
    const sinceMs = this.#sinceMs;
    const ownMs = stalls.map((stall) => stalledMsSince(stall, sinceMs)).filter((stalledMs) => stalledMs > 0);
    const stalledSeconds = ownMs.reduce((sum, stalledMs) => sum + stalledMs, 0) / 1000;
    const qoe = linearQoe({
      segmentMegabitsPerSecond: played.map((bitsPerSecond) => bitsPerSecond / 1e6),
      rebufferSeconds: stalledSeconds,
    });
    return {
      sinceMs,
      startupSeconds: sinceMs === null ? startupSeconds : null,
      stallCount: ownMs.length,
      stalledSeconds,
      switches: played.filter((bitrate, place) => place > 0 && bitrate !== played[place - 1]).length,
      meanBitsPerSecond: qoe === null ? null : (1e6 * qoe.bitrateSum) / played.length,
      linear: qoe?.total ?? null,
      linearPerSegment: qoe?.perSegment ?? null,
    };
  }
}

/** How much of a stall lies after a time. */
function stalledMsSince({ startedAtMs, durationMs }: StallRecord, sinceMs: number | null): number {
  return sinceMs === null ? durationMs : Math.min(durationMs, startedAtMs + durationMs - sinceMs);
}
