/** Where a queue stands for long, halves the window for a round trip. The twin of emptying.py, where it is explained. */

import type { Stamp } from "./receiver-scheme.ts";

const STANDING_SECONDS = 10;
const EMPTYING_SHARE = 0.5;
const REFILL_RTTS = 2;

/** The window while the queue is being emptied, and the one to go on from. */
export class Emptying {
  #standingSeconds = 0;
  #untilSeconds: number | null = null;
  #restUntilSeconds = 0;
  #heldPackets = 0;

  /** Whether the queue is being emptied or filled again: what is measured now says nothing of the link. */
  get isOn(): boolean {
    return this.#untilSeconds !== null;
  }

  /** Goes on from another window. */
  stop(): void {
    this.#untilSeconds = null;
  }

  /** The window as it is; half of it while the queue is being emptied; then what it was. Null: no queue stands. */
  windowPackets(
    windowPackets: number,
    stamp: Stamp,
    at: { queueSeconds: number | null; elapsedSeconds: number; receivedTimeSeconds: number },
  ): number {
    this.#standingSeconds = at.queueSeconds === null ? 0 : this.#standingSeconds + at.elapsedSeconds;
    if (this.#untilSeconds === null) {
      const leastSeconds = stamp.minRttSeconds ?? 0;
      if (this.#standingSeconds < STANDING_SECONDS || (at.queueSeconds ?? 0) > leastSeconds) {
        return windowPackets;
      }
      this.#standingSeconds = 0;
      const roundTripSeconds = stamp.smoothedRttSeconds || leastSeconds;
      this.#untilSeconds = at.receivedTimeSeconds + roundTripSeconds;
      this.#restUntilSeconds = this.#untilSeconds + REFILL_RTTS * roundTripSeconds;
      this.#heldPackets = windowPackets;
    }
    if (at.receivedTimeSeconds < this.#untilSeconds) return EMPTYING_SHARE * this.#heldPackets;
    if (at.receivedTimeSeconds >= this.#restUntilSeconds) this.#untilSeconds = null;
    return this.#heldPackets;
  }
}
