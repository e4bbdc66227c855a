import { quantileOfRanks } from "./quantile.ts";

/** Queueing delays in steps of 1 ms, so that mean and quantiles of any length of time cost the same. */
export class DelayStatistics {
  /** How often each whole millisecond was seen; the last place holds everything from there on. */
  readonly #counts = new Uint32Array(10_001);
  #count = 0;
  #sumMs = 0;

  add(delayMs: number): void {
    const place = Math.min(this.#counts.length - 1, Math.max(0, Math.round(delayMs)));
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#count += 1;
    this.#sumMs += delayMs;
  }

  /** null before the first. */
  meanMs(): number | null {
    return this.#count === 0 ? null : this.#sumMs / this.#count;
  }

  /** To 1 ms; null before the first. */
  quantileMs(share: number): number | null {
    return quantileOfRanks(this.#count, share, (rank) => this.#delayAt(rank));
  }

  /** The delay of a rank, from 0, in ascending order. */
  #delayAt(rank: number): number {
    let seen = 0;
    return this.#counts.findIndex((count) => {
      seen += count;
      return seen > rank;
    });
  }
}
