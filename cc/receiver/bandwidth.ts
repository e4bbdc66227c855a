/**
 * Bandwidth of the bottleneck as its receiver sees it. The twin of bandwidth.py, where the reasoning and the choice of
 * the constants are explained; both are held to the same vectors.
 */

import { PHASE, type Stamp } from "./receiver-scheme.ts";

const BUSY_QUEUEING_DELAY_SECONDS = 0.01;
export const RATE_WINDOW_SECONDS = 0.1;
const AVERAGING_SECONDS = 0.15;
const FALL_SECONDS = 2;
const IDLE_GAP_SECONDS = 0.05;
const IDLE_GAP_FACTOR = 2;
const MINIMUM_BYTES = 12_000;
const MINIMUM_INTERVAL_SECONDS = 1e-4;

interface Arrival {
  readonly sendTimeSeconds: number;
  readonly receivedTimeSeconds: number;
  readonly bytesSent: number;
}

/** Estimated bandwidth in bytes per second of UDP payload; null until something was measured. */
export class Bandwidth {
  bytesPerSecond: number | null = null;
  deliveredBytesPerSecond: number | null = null;
  #arrivals: Arrival[] = [];
  /** Between the sending of the newest two stamps. */
  #gapSeconds = 0;
  #isBusy = false;
  /** When a stamp last told that the flow asked for less than it could have. */
  #limitedSeconds = Number.NEGATIVE_INFINITY;

  /**
   * Takes one stamp, in order of sequence, with the queueing delay that it had. While it `isHeld` the receiver keeps the
   * flow slower than the link, and its rate is the least that the link carries.
   */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, queueingDelaySeconds: number, isHeld = false): void {
    const arrivals = this.#arrivals;
    const { sendTimeSeconds, bytesSent } = stamp;
    const last = arrivals.at(-1);
    let elapsedSeconds = 0;
    if (last !== undefined) {
      elapsedSeconds = Math.max(0, receivedTimeSeconds - last.receivedTimeSeconds);
      if (this.#isPause(stamp, sendTimeSeconds - last.sendTimeSeconds)) arrivals.length = 0;
    }
    const newest = { sendTimeSeconds, receivedTimeSeconds, bytesSent };
    arrivals.push(newest);
    this.#forgetOutside(Math.max(RATE_WINDOW_SECONDS, stamp.minRttSeconds ?? 0), newest);

    this.#isBusy = queueingDelaySeconds > BUSY_QUEUEING_DELAY_SECONDS;
    if (isHeld || stamp.isAppLimited || stamp.phase === PHASE.slowStart) {
      this.#limitedSeconds = receivedTimeSeconds;
    }
    const start = arrivals[0] ?? newest;
    const rate = rateBetween(start, newest);
    if (rate === null) return;
    this.deliveredBytesPerSecond = rate;
    if (this.bytesPerSecond === null) {
      this.bytesPerSecond = rate;
    } else if (this.#isBusy && !isHeld) {
      this.bytesPerSecond +=
        (elapsedSeconds / (AVERAGING_SECONDS + elapsedSeconds)) * (rate - this.bytesPerSecond);
    } else if (rate > this.bytesPerSecond) {
      this.bytesPerSecond = rate;
    } else if (this.#limitedSeconds < start.receivedTimeSeconds) {
      this.bytesPerSecond +=
        (elapsedSeconds / (FALL_SECONDS + elapsedSeconds)) * (rate - this.bytesPerSecond);
    }
  }

  /** The clocks changed: times before and after now have nothing to do with each other. The estimate stays. */
  startEpoch(): void {
    this.#arrivals.length = 0;
    this.#gapSeconds = 0;
    this.#isBusy = false;
    this.#limitedSeconds = Number.NEGATIVE_INFINITY;
  }

  /** Delivered bytes per second over the newest `windowSeconds`; null where too little was delivered. */
  bytesPerSecondOver(windowSeconds: number): number | null {
    const arrivals = this.#arrivals;
    const newest = arrivals.at(-1);
    if (newest === undefined) return null;
    let start = newest;
    for (let index = arrivals.length - 1; index >= 0; index--) {
      start = arrivals[index] ?? start;
      if (newest.receivedTimeSeconds - start.receivedTimeSeconds >= windowSeconds) break;
    }
    return rateBetween(start, newest);
  }

  /**
   * The estimate at a time: silence while data is expected on a busy link says that it has slowed down.
   *
   * @param waitsSinceSeconds since when data has been expected; null where none is
   */
  at(nowSeconds: number, waitsSinceSeconds: number | null): number | null {
    const newest = this.#arrivals.at(-1);
    if (this.bytesPerSecond === null || newest === undefined || waitsSinceSeconds === null)
      return this.bytesPerSecond;
    const silenceSeconds = nowSeconds - Math.max(waitsSinceSeconds, newest.receivedTimeSeconds);
    const windowSeconds = Math.max(RATE_WINDOW_SECONDS, MINIMUM_BYTES / this.bytesPerSecond);
    if (!this.#isBusy || silenceSeconds <= windowSeconds) return this.bytesPerSecond;
    return (this.bytesPerSecond * windowSeconds) / silenceSeconds;
  }

  /** Whether the time since the stamp before says nothing of the link's rate. */
  #isPause({ minRttSeconds, isAppLimited }: Stamp, gapSeconds: number): boolean {
    const beforeSeconds = this.#gapSeconds;
    this.#gapSeconds = gapSeconds;
    if (isAppLimited) return gapSeconds > IDLE_GAP_SECONDS;
    return gapSeconds > Math.max(IDLE_GAP_SECONDS, 2 * (minRttSeconds ?? 0), IDLE_GAP_FACTOR * beforeSeconds);
  }

  /** Keeps the newest from which on the window and the bytes that a rate takes are covered whole. */
  #forgetOutside(windowSeconds: number, newest: Arrival): void {
    const arrivals = this.#arrivals;
    let forgotten = 0;
    while (arrivals.length - forgotten > 2) {
      const second = arrivals[forgotten + 1];
      if (second === undefined) break;
      if (newest.receivedTimeSeconds - second.receivedTimeSeconds < windowSeconds) break;
      if (newest.bytesSent - second.bytesSent < MINIMUM_BYTES) break;
      forgotten++;
    }
    if (forgotten > 0) arrivals.splice(0, forgotten);
  }
}

function rateBetween(start: Arrival, newest: Arrival): number | null {
  const deliveredBytes = newest.bytesSent - start.bytesSent;
  const intervalSeconds = Math.max(
    newest.sendTimeSeconds - start.sendTimeSeconds,
    newest.receivedTimeSeconds - start.receivedTimeSeconds,
  );
  if (deliveredBytes < MINIMUM_BYTES || intervalSeconds < MINIMUM_INTERVAL_SECONDS) return null;
  return deliveredBytes / intervalSeconds;
}
