/**
 * Puts the receiver's estimate where all of dash.js's rules look for throughput, and keeps dash.js's own estimate
 * readable beside it.
 */

/** controllers/ThroughputController.js; kbit/s, NaN where nothing is known. */
export interface ThroughputController {
  getAverageThroughput(mediaType: string, calculationMode?: string | null, sampleSize?: number): number;
  getSafeAverageThroughput(mediaType: string, calculationMode?: string | null, sampleSize?: number): number;
}

export interface ThroughputSourceOptions {
  /** Bits per second to give to dash.js; null while unknown. Without it dash.js keeps its own estimate. */
  readonly estimateBitsPerSecond: (() => number | null) | null;
}

/** As `streaming.abr.throughput.bandwidthSafetyFactor`, which is pinned to it. */
export const BANDWIDTH_SAFETY_FACTOR = 0.9;

export class ThroughputSource {
  readonly #options: ThroughputSourceOptions;
  #own: ThroughputController | null = null;

  constructor(options: ThroughputSourceOptions) {
    this.#options = options;
  }

  /** What `MediaPlayer.extend("ThroughputController", ..., true)` takes; `parent` is dash.js's own. */
  extend(parent: ThroughputController): Partial<ThroughputController> {
    // Taken before dash.js replaces them in `parent` by what is returned here.
    const { getAverageThroughput, getSafeAverageThroughput } = parent;
    this.#own = { getAverageThroughput, getSafeAverageThroughput };
    const estimate = this.#options.estimateBitsPerSecond;
    if (estimate === null) {
      return {};
    }
    const kilobitsPerSecond = (): number => {
      const bitsPerSecond = estimate();
      return bitsPerSecond === null ? Number.NaN : Math.round(bitsPerSecond / 1000);
    };
    return {
      getAverageThroughput: kilobitsPerSecond,
      getSafeAverageThroughput: () => kilobitsPerSecond() * BANDWIDTH_SAFETY_FACTOR,
    };
  }

  /** dash.js's own estimate for video, bits per second; null before its first sample. */
  dashjsBitsPerSecond(): number | null {
    const kilobitsPerSecond = this.#own?.getAverageThroughput("video") ?? Number.NaN;
    return Number.isNaN(kilobitsPerSecond) ? null : kilobitsPerSecond * 1000;
  }
}
