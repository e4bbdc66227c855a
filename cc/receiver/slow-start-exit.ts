/** When a receiver ends slow start, and at which window. The twin of slow_start_exit.py. */

import type { Bandwidth } from "./bandwidth.ts";
import { leastStandingDelaySeconds } from "./queueing-delay.ts";
import { MINIMUM_WINDOW_PACKETS, type Stamp } from "./receiver-scheme.ts";

const EXIT_RTT_SHARE = 1 / 4;

/** Watches a slow start until a queue stands. */
export class SlowStartExit {
  readonly #bandwidth: Bandwidth;
  readonly #delays: { receivedTimeSeconds: number; delaySeconds: number }[] = [];

  constructor(bandwidth: Bandwidth) {
    this.#bandwidth = bandwidth;
  }

  /** Another slow start may follow. */
  beginAnew(): void {
    this.#delays.length = 0;
  }

  /**
   * What the bottleneck carries with a queue of `reserveSeconds`, from when a queue stands; null until then.
   * `delaySeconds` is the queueing delay of this stamp.
   */
  windowPackets(
    stamp: Stamp,
    receivedTimeSeconds: number,
    delaySeconds: number,
    reserveSeconds: number,
  ): number | null {
    const roundTripSeconds = stamp.minRttSeconds;
    if (roundTripSeconds === null) return null;
    const watchedSeconds = EXIT_RTT_SHARE * roundTripSeconds;
    const standingSeconds = this.#standingQueueSeconds(receivedTimeSeconds, delaySeconds, watchedSeconds);
    if (standingSeconds === null || standingSeconds < leastStandingDelaySeconds(roundTripSeconds))
      return null;
    const cwndPackets = stamp.cwndBytes / stamp.maxDatagramBytes;
    const rate = this.#bandwidth.bytesPerSecondOver(watchedSeconds);
    if (rate === null) return cwndPackets;
    const fittingPackets = (rate * (roundTripSeconds + reserveSeconds)) / stamp.maxDatagramBytes;
    return Math.max(MINIMUM_WINDOW_PACKETS, Math.min(cwndPackets, fittingPackets));
  }

  /** The least delay of the newest `windowSeconds`; null until stamps cover so much. */
  #standingQueueSeconds(
    receivedTimeSeconds: number,
    delaySeconds: number,
    windowSeconds: number,
  ): number | null {
    const delays = this.#delays;
    delays.push({ receivedTimeSeconds, delaySeconds });
    let second = delays[1];
    while (second !== undefined && receivedTimeSeconds - second.receivedTimeSeconds >= windowSeconds) {
      delays.shift();
      second = delays[1];
    }
    const oldest = delays[0];
    if (oldest === undefined || receivedTimeSeconds - oldest.receivedTimeSeconds < windowSeconds) return null;
    return Math.min(...delays.map((delay) => delay.delaySeconds));
  }
}
