import { quantile } from "../../statistics/quantile.ts";

/** Of the newest decisions: enough for a percentile, few enough to sort now and then. */
const KEPT = 1000;

/** How long decisions take, in ms. */
export class DecisionTimes {
  readonly #kept: number[] = [];
  #next = 0;

  add(durationMs: number): void {
    this.#kept[this.#next] = durationMs;
    this.#next = (this.#next + 1) % KEPT;
  }

  /** null before the first. */
  quantileMs(share: number): number | null {
    return quantile(this.#kept, share);
  }
}
