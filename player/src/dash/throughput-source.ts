import type { ThroughputController } from "./dashjs-internals.ts";

export interface ThroughputSourceOptions {
  /** What dash.js is given; null where dash.js's own throughput counts. */
  readonly bitsPerSecond: () => number | null;
  /** dash.js's `bandwidthSafetyFactor`. */
  readonly safetyFactor: () => number;
}

/**
 * Puts the receiver's estimate where all of dash.js's rules look for throughput, and keeps dash.js's own estimate
 * readable beside it. dash.js makes its controller once for a player's life, perhaps before the library is attached, so
 * that `MediaPlayer.extend` would come too late: its two methods are replaced in place, as `extend` does it.
 */
export class ThroughputSource {
  readonly #options: ThroughputSourceOptions;
  #controller: ThroughputController | null = null;
  #own: ThroughputController | null = null;

  constructor(options: ThroughputSourceOptions) {
    this.#options = options;
  }

  /** Takes its place in dash.js's controller; a second call with the same one changes nothing. */
  attach(controller: ThroughputController): void {
    if (controller === this.#controller) {
      return;
    }
    this.detach();
    const { getAverageThroughput, getSafeAverageThroughput } = controller;
    const own = { getAverageThroughput, getSafeAverageThroughput };
    const { bitsPerSecond, safetyFactor } = this.#options;
    const kilobitsPerSecond = (): number | null => {
      const average = bitsPerSecond();
      return average === null ? null : Math.round(average / 1000);
    };
    controller.getAverageThroughput = (...inquiry) =>
      kilobitsPerSecond() ?? own.getAverageThroughput(...inquiry);
    controller.getSafeAverageThroughput = (...inquiry) => {
      const average = kilobitsPerSecond();
      return average === null ? own.getSafeAverageThroughput(...inquiry) : average * safetyFactor();
    };
    this.#controller = controller;
    this.#own = own;
  }

  /** Gives dash.js its own methods back. */
  detach(): void {
    Object.assign(Object(this.#controller), this.#own);
    this.#controller = null;
    this.#own = null;
  }

  /** dash.js's own estimate for video, bits per second; null before its first sample. */
  dashjsBitsPerSecond(): number | null {
    const kilobitsPerSecond = this.#own?.getAverageThroughput("video") ?? Number.NaN;
    return Number.isNaN(kilobitsPerSecond) ? null : kilobitsPerSecond * 1000;
  }
}
