/**
 * What every receiver measures, whoever controls the window: queueing delay and bandwidth. The twin of measurement.py,
 * which says what an epoch is.
 */

import { Bandwidth } from "./bandwidth.ts";
import { ClockWatch } from "./clock-watch.ts";
import { PathWatch } from "./longer-path.ts";
import { QueueingDelay } from "./queueing-delay.ts";
import type { ReceiverState, Stamp } from "./receiver-scheme.ts";

/** Feeds stamps, in order of sequence, to the two estimators. */
export class Measurement {
  queueingDelay = new QueueingDelay();
  readonly bandwidth = new Bandwidth();
  #isExpectingData = false;
  /** Since when data can have been here, as far as anybody asked; null where none is expected. */
  #waitsSinceSeconds: number | null = null;
  #roundTripSeconds = 0;
  /** Whether the receiver keeps the flow slower than the link. */
  isHeld = false;
  /** How often the measurement began anew, by itself or because it was told to. */
  epochsBegun = 0;
  readonly #watch = new ClockWatch();
  readonly #path = new PathWatch();
  /** Where the newest stamp revealed a longer path, what was in flight on it without a queue; else null. */
  unqueuedBytes: number | null = null;
  /** The newest stamp's. */
  #minRttSeconds: number | null = null;
  /** The bandwidth before the delays became suspicious; later ones are those of a window cut for nothing. */
  #trustedBytesPerSecond: number | null = null;

  /** Whether the sender's round trips do not explain the delays of late: a queue so young, or a clock. */
  get isSuspicious(): boolean {
    return this.#watch.isSuspicious;
  }

  /** Takes one stamp; true if it began a new epoch: a clock cannot be believed, or the path is another. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, lateSeconds = 0): boolean {
    this.unqueuedBytes = null;
    const beginsEpoch = this.#beginsEpoch(stamp, receivedTimeSeconds, lateSeconds);
    this.#roundTripSeconds = stamp.smoothedRttSeconds ?? 0;
    this.bandwidth.onStamp(stamp, receivedTimeSeconds, this.queueingDelay.filteredSeconds, this.isHeld);
    return beginsEpoch;
  }

  /** The stamp with the shortest round trip of the path as it is now. */
  withPath(stamp: Stamp): Stamp {
    const { extraSeconds } = this.#path;
    if (extraSeconds === 0 || stamp.minRttSeconds === null) return stamp;
    return { ...stamp, minRttSeconds: stamp.minRttSeconds + extraSeconds };
  }

  /** Whether requests are open. */
  expectData(isExpecting: boolean): void {
    this.#isExpectingData = isExpecting;
    if (!isExpecting) this.#waitsSinceSeconds = null;
  }

  /** Forgets what is relative to the clocks; the bandwidth stays known. */
  startEpoch(nowSeconds: number): void {
    this.epochsBegun++;
    this.queueingDelay = new QueueingDelay(nowSeconds);
    this.bandwidth.startEpoch();
    this.#watch.forget();
    this.#path.forgetDelays();
  }

  /**
   * The bottleneck's bandwidth at a time; null until something was measured. A pause between requests is no silence of
   * the link, nor is the round trip that a request takes.
   */
  bandwidthBitsPerSecond(nowSeconds: number): number | null {
    if (this.#isExpectingData) this.#waitsSinceSeconds ??= nowSeconds + this.#roundTripSeconds;
    const bytesPerSecond = this.bandwidth.at(nowSeconds, this.#waitsSinceSeconds);
    return bytesPerSecond === null ? null : 8 * bytesPerSecond;
  }

  /** The measurements at a time beside what a scheme makes of them. */
  state(
    nowSeconds: number,
    control: Pick<ReceiverState, "windowBytes" | "k" | "targetDelaySeconds">,
  ): ReceiverState {
    const delivered = this.bandwidth.deliveredBytesPerSecond;
    return {
      rawQueueingDelaySeconds: this.queueingDelay.rawSeconds,
      queueingDelaySeconds: this.queueingDelay.filteredSeconds,
      bandwidthBitsPerSecond: this.bandwidthBitsPerSecond(nowSeconds),
      deliveredBitsPerSecond: delivered === null ? null : 8 * delivered,
      ...control,
      wantedBitsPerSecond: null,
      isHeld: false,
    };
  }

  /** Measures the delay; where it cannot be a queue's, measures it again in a new epoch. */
  #beginsEpoch(stamp: Stamp, receivedTimeSeconds: number, lateSeconds: number): boolean {
    const isAnother = this.#isOfAnotherPath(stamp);
    if (isAnother) this.#path.extraSeconds = 0;
    const isNew = this.#watch.runsBack(stamp, receivedTimeSeconds) || isAnother;
    if (isNew) this.startEpoch(receivedTimeSeconds);
    this.#measureDelay(stamp, receivedTimeSeconds, lateSeconds);
    const wasSuspicious = this.#watch.isSuspicious;
    const { rawSeconds, undercutSeconds } = this.queueingDelay;
    const onPath = this.withPath(stamp); // what the path itself has become longer by explains no delay
    if (this.#watch.contradicts(onPath, receivedTimeSeconds, rawSeconds)) {
      this.bandwidth.bytesPerSecond = this.#trustedBytesPerSecond;
    } else if (!this.#watch.leaps(onPath, undercutSeconds)) {
      if (this.#watch.isSuspicious && !wasSuspicious) {
        this.#trustedBytesPerSecond = this.bandwidth.bytesPerSecond;
      }
      this.unqueuedBytes = this.#path.unqueuedBytes(stamp, receivedTimeSeconds, rawSeconds);
      if (this.unqueuedBytes === null) return isNew;
    }
    this.startEpoch(receivedTimeSeconds);
    this.#measureDelay(stamp, receivedTimeSeconds, lateSeconds);
    return true;
  }

  /** A path's shortest round trip never rises, and is not forgotten. */
  #isOfAnotherPath({ minRttSeconds }: Stamp): boolean {
    const before = this.#minRttSeconds;
    this.#minRttSeconds = minRttSeconds;
    return before !== null && (minRttSeconds === null || minRttSeconds > before);
  }

  #measureDelay(
    { sendTimeSeconds, bytesSent }: Stamp,
    receivedTimeSeconds: number,
    lateSeconds: number,
  ): void {
    this.queueingDelay.onStamp(sendTimeSeconds, receivedTimeSeconds, bytesSent, lateSeconds);
  }
}
