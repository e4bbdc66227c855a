/** Half of an estimate's weight is gone after so much more delivery: some downloads' time. */
const HALF_LIFE_SECONDS = 8;
/** What an estimate stands for at most: they come about every 100 ms while bytes do. */
const LONGEST_STEP_SECONDS = 0.3;

/**
 * Mean of the receiver's estimates over what was delivered. A rule that takes its throughput for the rate of the whole next
 * download changes rung with every flicker of the link where it is told of one instant.
 */
export class DeliveryAverage {
  #sum = 0;
  #weight = 0;
  #lastSeconds: number | null = null;
  #newest: number | null = null;

  /** An estimate counts where bytes were arriving; one that merely holds between downloads is no new evidence. */
  add(atSeconds: number, bitsPerSecond: number, isFresh: boolean): void {
    if (isFresh) {
      const passed = this.#lastSeconds === null ? LONGEST_STEP_SECONDS : atSeconds - this.#lastSeconds;
      const kept = 0.5 ** (Math.min(LONGEST_STEP_SECONDS, Math.max(0, passed)) / HALF_LIFE_SECONDS);
      this.#sum = kept * this.#sum + (1 - kept) * bitsPerSecond;
      this.#weight = kept * this.#weight + (1 - kept);
    }
    this.#lastSeconds = atSeconds;
    this.#newest = bitsPerSecond;
  }

  /** null before the first estimate. */
  meanBitsPerSecond(): number | null {
    return this.#weight > 0 ? this.#sum / this.#weight : this.#newest;
  }

  /** The last estimate; null before the first. */
  newestBitsPerSecond(): number | null {
    return this.#newest;
  }
}
