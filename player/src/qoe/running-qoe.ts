import { linearQoe } from "./linear-qoe.ts";

/** A segment that is on the screen. */
export interface ShownSegment {
  readonly index: number;
  readonly bitsPerSecond: number;
}

export interface PlaybackTimes {
  /** From opening the page to the first frame; null before it. */
  readonly startupSeconds: number | null;
  readonly stallCount: number;
  readonly stalledSeconds: number;
}

/** The quality of what was played so far. null where nothing was. */
export interface QoeSummary extends PlaybackTimes {
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
  #lastIndex: number | null = null;

  /** To be told several times a segment what is on the screen. */
  watch(shown: ShownSegment | null): void {
    if (shown !== null && shown.index !== this.#lastIndex) {
      this.#bitsPerSecond.push(shown.bitsPerSecond);
      this.#lastIndex = shown.index;
    }
  }

  summary(times: PlaybackTimes): QoeSummary {
    const played = this.#bitsPerSecond;
    const qoe = linearQoe({
      segmentMegabitsPerSecond: played.map((bitsPerSecond) => bitsPerSecond / 1e6),
      rebufferSeconds: times.stalledSeconds,
    });
    return {
      ...times,
      switches: played.filter((bitrate, place) => place > 0 && bitrate !== played[place - 1]).length,
      meanBitsPerSecond: qoe === null ? null : (1e6 * qoe.bitrateSum) / played.length,
      linear: qoe?.total ?? null,
      linearPerSegment: qoe?.perSegment ?? null,
    };
  }
}
