/** What past estimates say of the seconds ahead. Pure: seconds, bits per second. */

/** How far back estimates count. */
const MEMORY_SECONDS = 60;
/** Half of an estimate's weight is gone after this time. */
const HALF_LIFE_SECONDS = 20;
/** Over this time a cellular link's rate forgets what it was. */
const RELAXATION_SECONDS = 4;
/** A rate to plan with on a link that stands still; an outage ends some day. */
const LOWEST_BITS_PER_SECOND = 20_000;

export interface BandwidthOutlook {
  /** The newest estimate. */
  readonly nowBitsPerSecond: number;
  /** What was sustained of late. */
  readonly sustainedBitsPerSecond: number;
  /** Mean distance from the mean, as a share of it; 0 on a steady link. */
  readonly variation: number;
}

/** The rate `aheadSeconds` from now: what it is now, relaxing towards what was sustained. */
export function predictedBitsPerSecond(outlook: BandwidthOutlook, aheadSeconds: number): number {
  const remembered = Math.exp(-aheadSeconds / RELAXATION_SECONDS);
  const { nowBitsPerSecond: now, sustainedBitsPerSecond: sustained } = outlook;
  return Math.max(LOWEST_BITS_PER_SECOND, now * remembered + sustained * (1 - remembered));
}

/** Collects estimates, which arrive about every 100 ms, while something is being delivered. */
export class BandwidthHistory {
  #samples: { readonly atSeconds: number; readonly bitsPerSecond: number }[] = [];
  #newest: number | null = null;

  /** `isFresh` when bytes were arriving: an estimate that merely holds between downloads is no new evidence. */
  add(atSeconds: number, bitsPerSecond: number, isFresh: boolean): void {
    this.#newest = bitsPerSecond;
    if (!isFresh && this.#samples.length > 0) {
      return;
    }
    this.#samples.push({ atSeconds, bitsPerSecond });
    const oldest = atSeconds - MEMORY_SECONDS;
    // Far older ones stay while there is nothing newer to go by.
    while (this.#samples.length > 20 && (this.#samples[0]?.atSeconds ?? oldest) < oldest) {
      this.#samples.shift();
    }
  }

  /** null before the first estimate. */
  outlook(): BandwidthOutlook | null {
    const last = this.#samples.at(-1);
    if (last === undefined || this.#newest === null) {
      return null;
    }
    let weights = 0;
    let sum = 0;
    for (const { atSeconds, bitsPerSecond } of this.#samples) {
      const weight = 0.5 ** ((last.atSeconds - atSeconds) / HALF_LIFE_SECONDS);
      weights += weight;
      sum += weight * bitsPerSecond;
    }
    const mean = sum / weights;
    let distance = 0;
    for (const { atSeconds, bitsPerSecond } of this.#samples) {
      const weight = 0.5 ** ((last.atSeconds - atSeconds) / HALF_LIFE_SECONDS);
      distance += weight * Math.abs(bitsPerSecond - mean);
    }
    return {
      nowBitsPerSecond: this.#newest,
      sustainedBitsPerSecond: mean,
      variation: mean > 0 ? distance / weights / mean : 0,
    };
  }
}
