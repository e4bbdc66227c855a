/** What past estimates say of the seconds ahead. Pure: seconds, bits per second. */

/** How far back estimates count. */
const MEMORY_SECONDS = 60;
/** A rate to plan with on a link that stands still; an outage ends some day. */
const LOWEST_BITS_PER_SECOND = 20_000;

/** Over which time estimates are averaged, and how fast a link's rate forgets what it was. */
export interface OutlookTimes {
  /** Half of an estimate's weight in `recentBitsPerSecond` is gone after this time. */
  readonly recentHalfLifeSeconds: number;
  /** The same of `sustainedBitsPerSecond`. */
  readonly sustainedHalfLifeSeconds: number;
}

/** Chosen by `npm run bench -- rule-search`. */
export const OUTLOOK_TIMES: OutlookTimes = { recentHalfLifeSeconds: 0.7, sustainedHalfLifeSeconds: 25 };

export interface BandwidthOutlook {
  /** The newest estimate. */
  readonly nowBitsPerSecond: number;
  /** Mean of the last second or so of delivery: a single estimate is noisy, and a link flickers. */
  readonly recentBitsPerSecond: number;
  /** What was sustained of late. */
  readonly sustainedBitsPerSecond: number;
  /** Mean distance from the mean, as a share of it; 0 on a steady link. */
  readonly variation: number;
}

/** The rate `aheadSeconds` from now: what it is of late, relaxing towards what was sustained. */
export function predictedBitsPerSecond(
  outlook: BandwidthOutlook,
  aheadSeconds: number,
  relaxationSeconds: number,
): number {
  const remembered = Math.exp(-aheadSeconds / relaxationSeconds);
  const { recentBitsPerSecond: recent, sustainedBitsPerSecond: sustained } = outlook;
  return Math.max(LOWEST_BITS_PER_SECOND, recent * remembered + sustained * (1 - remembered));
}

/**
 * Of two measurements each tells what it knows best. What whole downloads came to is what a download gets in the long run: with
 * its round trips, its starts and its standstills. The receiver's estimates know the last second of delivery, which flickers:
 * of late it is the geometric mean of both.
 */
export function combinedOutlook(receiver: BandwidthOutlook, downloads: BandwidthOutlook): BandwidthOutlook {
  return {
    ...receiver,
    recentBitsPerSecond: Math.sqrt(receiver.recentBitsPerSecond * downloads.recentBitsPerSecond),
    sustainedBitsPerSecond: downloads.sustainedBitsPerSecond,
  };
}

interface Sample {
  readonly atSeconds: number;
  readonly bitsPerSecond: number;
}

/** Collects estimates, which arrive about every 100 ms, while something is being delivered. */
export class BandwidthHistory {
  readonly #times: OutlookTimes;
  #samples: Sample[] = [];
  #newest: number | null = null;
  /** Of the samples as they are: a rule that may give a download up asks far oftener than there are new ones. */
  #known: Omit<BandwidthOutlook, "nowBitsPerSecond"> | null = null;

  constructor(times: OutlookTimes = OUTLOOK_TIMES) {
    this.#times = times;
  }

  /** `isFresh` when bytes were arriving: an estimate that merely holds between downloads is no new evidence. */
  add(atSeconds: number, bitsPerSecond: number, isFresh: boolean): void {
    this.#newest = bitsPerSecond;
    if (!isFresh && this.#samples.length > 0) {
      return;
    }
    this.#known = null;
    this.#samples.push({ atSeconds, bitsPerSecond });
    // Far older ones stay while there is nothing newer to go by. Those of a clock that is ahead are as far.
    while (
      this.#samples.length > 20 &&
      Math.abs(atSeconds - (this.#samples[0]?.atSeconds ?? 0)) > MEMORY_SECONDS
    ) {
      this.#samples.shift();
    }
  }

  /** null before the first estimate. */
  outlook(): BandwidthOutlook | null {
    if (this.#samples.length === 0 || this.#newest === null) {
      return null;
    }
    this.#known ??= this.#ofSamples();
    return { nowBitsPerSecond: this.#newest, ...this.#known };
  }

  #ofSamples(): Omit<BandwidthOutlook, "nowBitsPerSecond"> {
    const mean = this.#weighted(this.#times.sustainedHalfLifeSeconds, ({ bitsPerSecond }) => bitsPerSecond);
    const distance = this.#weighted(this.#times.sustainedHalfLifeSeconds, ({ bitsPerSecond }) =>
      Math.abs(bitsPerSecond - mean),
    );
    return {
      recentBitsPerSecond: this.#weighted(
        this.#times.recentHalfLifeSeconds,
        ({ bitsPerSecond }) => bitsPerSecond,
      ),
      sustainedBitsPerSecond: mean,
      variation: mean > 0 ? distance / mean : 0,
    };
  }

  /** Mean over the samples; the newest count most. */
  #weighted(halfLifeSeconds: number, of: (sample: Sample) => number): number {
    const newest = this.#samples.at(-1)?.atSeconds ?? 0;
    let weights = 0;
    let sum = 0;
    for (const sample of this.#samples) {
      const weight = 0.5 ** (Math.abs(newest - sample.atSeconds) / halfLifeSeconds);
      weights += weight;
      sum += weight * of(sample);
    }
    return sum / weights;
  }
}
