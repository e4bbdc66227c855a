/** What every receiver measures, whoever controls the window: queueing delay and bandwidth. */

import { Bandwidth } from "./bandwidth.ts";
import { QueueingDelay } from "./queueing-delay.ts";
import type { ReceiverState, Stamp } from "./receiver-scheme.ts";

/** Feeds stamps, in order of sequence, to the two estimators. */
export class Measurement {
  readonly queueingDelay = new QueueingDelay();
  readonly bandwidth = new Bandwidth();
  isExpectingData = false;

  /** Takes one stamp. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number): void {
    const { sendTimeSeconds, bytesSent } = stamp;
    this.queueingDelay.onStamp(sendTimeSeconds, receivedTimeSeconds, bytesSent);
    this.bandwidth.onStamp(
      { sendTimeSeconds, receivedTimeSeconds, bytesSent },
      this.queueingDelay.filteredSeconds,
      stamp.minRttSeconds ?? 0,
    );
  }

  /** The bottleneck's bandwidth at a time; null until something was measured. */
  bandwidthBitsPerSecond(nowSeconds: number): number | null {
    const bytesPerSecond = this.bandwidth.at(nowSeconds, this.isExpectingData);
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
    };
  }
}
