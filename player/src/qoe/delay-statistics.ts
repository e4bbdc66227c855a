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

  /** The smallest delay that at least this share did not exceed, to 1 ms; null before the first. */
  quantileMs(share: number): number | null {
    if (this.#count === 0) {
      return null;
    }
    let seen = 0;
    const place = this.#counts.findIndex((count) => {
      seen += count;
      return seen >= share * this.#count;
    });
    return place;
  }
}
