/**
 * Bandwidth of the bottleneck as its receiver sees it. The twin of bandwidth.py, where the reasoning and the choice of
 * the constants are explained; both are held to the same vectors.
 */

const BUSY_QUEUEING_DELAY_SECONDS = 0.01;
export const RATE_WINDOW_SECONDS = 0.1;
const AVERAGING_SECONDS = 0.15;
const IDLE_GAP_SECONDS = 0.05;
const MINIMUM_BYTES = 12_000;
const MINIMUM_INTERVAL_SECONDS = 1e-4;

interface Sample {
  readonly sendTimeSeconds: number;
  readonly receivedTimeSeconds: number;
  readonly bytesSent: number;
}

/** Estimated bandwidth in bytes per second of UDP payload; null until something was measured. */
export class Bandwidth {
  bytesPerSecond: number | null = null;
  deliveredBytesPerSecond: number | null = null;
  #samples: Sample[] = [];
  #isBusy = false;

  /**
   * Takes one stamp, in order of sequence, with the queueing delay that it had. While it `isHeld` the receiver keeps the
   * flow slower than the link, and its rate is the least that the link carries.
   */
  onStamp(sample: Sample, queueingDelaySeconds: number, roundTripSeconds: number, isHeld = false): void {
    const samples = this.#samples;
    const last = samples.at(-1);
    let elapsedSeconds = 0;
    if (last !== undefined) {
      elapsedSeconds = Math.max(0, sample.receivedTimeSeconds - last.receivedTimeSeconds);
      const pauseSeconds = sample.sendTimeSeconds - last.sendTimeSeconds;
      if (pauseSeconds > Math.max(IDLE_GAP_SECONDS, 2 * roundTripSeconds)) samples.length = 0;
    }
    samples.push(sample);
    const windowSeconds = Math.max(RATE_WINDOW_SECONDS, roundTripSeconds);
    this.#forgetOutside(windowSeconds, sample.receivedTimeSeconds);

    this.#isBusy = queueingDelaySeconds > BUSY_QUEUEING_DELAY_SECONDS;
    const rate = this.bytesPerSecondOver(windowSeconds);
    if (rate === null) return;
    this.deliveredBytesPerSecond = rate;
    if (this.bytesPerSecond === null) {
      this.bytesPerSecond = rate;
    } else if (this.#isBusy && !isHeld) {
      const share = elapsedSeconds / (AVERAGING_SECONDS + elapsedSeconds);
      this.bytesPerSecond += share * (rate - this.bytesPerSecond);
    } else if (rate > this.bytesPerSecond) {
      this.bytesPerSecond = rate;
    }
  }

  /** The clocks changed: times before and after now have nothing to do with each other. The estimate stays. */
  startEpoch(): void {
    this.#samples.length = 0;
    this.#isBusy = false;
  }

  /** Delivered bytes per second over the newest `windowSeconds`; null where too little was delivered. */
  bytesPerSecondOver(windowSeconds: number): number | null {
    const samples = this.#samples;
    const newest = samples.at(-1);
    if (newest === undefined || samples.length < 2) return null;
    let start = newest;
    for (let index = samples.length - 1; index >= 0; index--) {
      start = samples[index] ?? start;
      if (newest.receivedTimeSeconds - start.receivedTimeSeconds >= windowSeconds) break;
    }
    const deliveredBytes = newest.bytesSent - start.bytesSent;
    const intervalSeconds = Math.max(
      newest.sendTimeSeconds - start.sendTimeSeconds,
      newest.receivedTimeSeconds - start.receivedTimeSeconds,
    );
    if (deliveredBytes < MINIMUM_BYTES || intervalSeconds < MINIMUM_INTERVAL_SECONDS) return null;
    return deliveredBytes / intervalSeconds;
  }

  /**
   * The estimate at a time: silence while data is expected on a busy link says that it has slowed down.
   *
   * @param waitsSinceSeconds since when data has been expected; null where none is
   */
  at(nowSeconds: number, waitsSinceSeconds: number | null): number | null {
    const newest = this.#samples.at(-1);
    if (this.bytesPerSecond === null || newest === undefined || waitsSinceSeconds === null)
      return this.bytesPerSecond;
    const silenceSeconds = nowSeconds - Math.max(waitsSinceSeconds, newest.receivedTimeSeconds);
    if (!this.#isBusy || silenceSeconds <= RATE_WINDOW_SECONDS) return this.bytesPerSecond;
    return (this.bytesPerSecond * RATE_WINDOW_SECONDS) / silenceSeconds;
  }

  /** Keeps one sample from before the window, so that the window is covered whole. */
  #forgetOutside(windowSeconds: number, newestReceivedSeconds: number): void {
    const samples = this.#samples;
    let forgotten = 0;
    while (samples.length - forgotten > 2) {
      const second = samples[forgotten + 1];
      if (second === undefined) break;
      if (newestReceivedSeconds - second.receivedTimeSeconds < windowSeconds) break;
      forgotten++;
    }
    if (forgotten > 0) samples.splice(0, forgotten);
  }
}
