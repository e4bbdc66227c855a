/** The receiver's half of a sender-side scheme: it measures the same things and asks for nothing. */

import { Measurement } from "./measurement.ts";
import { requireNeed } from "./need.ts";
import type { Need, ReceiverScheme, ReceiverState, Stamp } from "./receiver-scheme.ts";
import { isLater } from "./wrapping-count.ts";

/** Gives the page and the records the same measurements under every scheme. */
export class Observer implements ReceiverScheme {
  readonly #measurement = new Measurement();
  #lastSequence: number | null = null;

  /** Measures; a stamp older than the newest seen is ignored. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds = 0): void {
    if (this.#lastSequence !== null && !isLater(stamp.sequence, this.#lastSequence)) return;
    this.#lastSequence = stamp.sequence;
    this.#measurement.onStamp(stamp, receivedTimeSeconds, lateSeconds);
  }

  /** Whether requests are open. */
  expectData(isExpecting: boolean): void {
    this.#measurement.expectData(isExpecting);
  }

  /** Makes no difference: the window is the sender's. Throws RangeError for one that makes no sense. */
  onNeed(need: Need): void {
    requireNeed(need);
  }

  /** Forgets what is relative to the clocks. */
  startEpoch(nowSeconds: number): void {
    this.#measurement.startEpoch(nowSeconds);
  }

  /** How often the measurement began anew. */
  get epochsBegun(): number {
    return this.#measurement.epochsBegun;
  }

  /** Never anything. */
  feedback(): null {
    return null;
  }

  /** The measurements at a time. */
  state(nowSeconds: number): ReceiverState {
    return this.#measurement.state(nowSeconds, { windowBytes: null, k: null, targetDelaySeconds: null });
  }
}
