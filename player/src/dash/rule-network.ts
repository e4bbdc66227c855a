import type { ReadonlySignal } from "@preact/signals-core";
import { BandwidthHistory, type BandwidthOutlook } from "../rules/bandwidth-outlook.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { watch } from "../session/watch.ts";
import { appendBounded, type SegmentRecord } from "./play-log.ts";

/** As many as any rule looks back on, to judge its own predictions by. */
const SEGMENTS_REMEMBERED = 20;

/** What our rules know of the network: the session's estimates, and dash.js's throughputs where there are none. */
export class RuleNetwork {
  readonly estimate: ReadonlySignal<NetworkEstimate | null>;
  readonly #dashjs = new BandwidthHistory();
  readonly #segmentThroughputs: number[] = [];
  #session = new BandwidthHistory();
  readonly #stopWatching: () => void;

  constructor(estimate: ReadonlySignal<NetworkEstimate | null>) {
    this.estimate = estimate;
    this.#stopWatching = watch(estimate, (newest) => this.#onEstimate(newest));
  }

  /** null before anything was measured. */
  outlook(): BandwidthOutlook | null {
    return this.#session.outlook() ?? this.#dashjs.outlook();
  }

  /** dash.js's own throughput after a segment. */
  addThroughput(atMs: number, bitsPerSecond: number): void {
    this.#dashjs.add(atMs / 1000, bitsPerSecond, true);
  }

  /** Of the last video segments, bits per second, newest last. */
  segmentThroughputs(): readonly number[] {
    return this.#segmentThroughputs;
  }

  addSegment({ mediaType, bytes, requestedAtMs, endedAtMs }: SegmentRecord): void {
    const bitsPerSecond = (8000 * bytes) / (endedAtMs - requestedAtMs);
    // One from a cache takes no time, and says nothing of the network.
    if (mediaType === "video" && bitsPerSecond > 0 && Number.isFinite(bitsPerSecond)) {
      appendBounded(this.#segmentThroughputs, bitsPerSecond, SEGMENTS_REMEMBERED);
    }
  }

  close(): void {
    this.#stopWatching();
  }

  #onEstimate(newest: NetworkEstimate | null): void {
    if (newest === null) {
      this.#session = new BandwidthHistory(); // what comes over HTTP is not what was measured
    } else if (newest.bandwidthBitsPerSecond !== null) {
      this.#session.add(newest.atMs / 1000, newest.bandwidthBitsPerSecond, newest.deliveredBitsPerSecond > 0);
    }
  }
}
