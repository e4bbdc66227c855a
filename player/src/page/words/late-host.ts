/** Whether this computer is so late that it is worth saying. Pure: told the times. */

import type { NetworkEstimate } from "../../session/network-estimate.ts";
import { lateHostSentence } from "./sentences.ts";

/** Less than a picture of the film. */
const LATE_SECONDS = 0.03;
const SPAN_MS = 10_000;
/** Before so much is known nothing is said. */
const LEAST_MS = 5000;
/** Said from this share of the span on, until it falls to the other: it does not come and go. */
const BEGIN_SHARE = 1 / 2;
const END_SHARE = 1 / 10;
const STEP_MS = 10;

export class LateHost {
  readonly #samples: { readonly atMs: number; readonly lateSeconds: number }[] = [];
  #text: string | null = null;

  /** What to say; null while this computer is in time. The figure stays while it is said. */
  get text(): string | null {
    return this.#text;
  }

  /** To be called some times a second; with two receivers, the later counts. */
  add(atMs: number, estimates: readonly (NetworkEstimate | null)[]): void {
    const lateSeconds = Math.max(0, ...estimates.map((estimate) => estimate?.hostLateSeconds ?? 0));
    this.#samples.push({ atMs, lateSeconds });
    while ((this.#samples[0]?.atMs ?? atMs) < atMs - SPAN_MS) {
      this.#samples.shift();
    }
    const late = this.#samples.filter((sample) => sample.lateSeconds >= LATE_SECONDS);
    const share = late.length / this.#samples.length;
    const spanMs = atMs - (this.#samples[0]?.atMs ?? atMs);
    if (this.#text === null && spanMs >= LEAST_MS && share >= BEGIN_SHARE) {
      const mostMs = 1000 * Math.max(...late.map((sample) => sample.lateSeconds));
      this.#text = lateHostSentence(STEP_MS * Math.ceil(mostMs / STEP_MS));
    } else if (share <= END_SHARE) {
      this.#text = null;
    }
  }
}
