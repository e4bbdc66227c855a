import type { ReadableAtom } from "nanostores";
import { BandwidthHistory, type BandwidthOutlook, combinedOutlook } from "../rules/bandwidth-outlook.ts";
import type { ThroughputKind } from "../rules/registry.ts";
import type { PastDownload } from "../rules/rule.ts";
import { SegmentSizes } from "../rules/segment-sizes.ts";
import { DeliveryAverage } from "../session/delivery-average.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { watch } from "../session/watch.ts";
import { quantile } from "../statistics/quantile.ts";
import { appendBounded, type SegmentRecord } from "./play-log.ts";

/** dash.js writes down requests in whole milliseconds. */
const CLOCK_STEP_MS = 1;
/** RFC 9002's initial RTT is 0.333 s; a film's server is nearer. */
const UNMEASURED_ROUND_TRIP_SECONDS = 0.1;

/** As many as any rule looks back on, to judge its own predictions by. */
const SEGMENTS_REMEMBERED = 20;
/** Whose times to the first byte count: their median is not moved by one that waited for sound. */
const FIRST_BYTES_REMEMBERED = 5;

/** What our rules know of the network: the session's estimates, and dash.js's throughputs. */
export class RuleNetwork {
  readonly estimate: ReadableAtom<NetworkEstimate | null>;
  readonly #dashjs = new BandwidthHistory();
  readonly #segmentThroughputs: number[] = [];
  readonly #firstByteSeconds: number[] = [];
  readonly #downloads: PastDownload[] = [];
  readonly #sizes = new SegmentSizes();
  #asked: {
    readonly atMs: number;
    readonly outlook: BandwidthOutlook;
    readonly roundTripSeconds: number;
    readonly otherBitsPerSecond: number;
  }[] = [];
  #session = new BandwidthHistory();
  #average = new DeliveryAverage();
  readonly close: () => void;

  constructor(estimate: ReadableAtom<NetworkEstimate | null>) {
    this.estimate = estimate;
    this.close = watch(estimate, (newest) => this.#onEstimate(newest));
  }

  /** By the session's estimates and dash.js's throughputs, as far as there are both; null before anything was measured. */
  outlook(): BandwidthOutlook | null {
    const [receiver, downloads] = [this.#session.outlook(), this.#dashjs.outlook()];
    if (receiver === null || downloads === null) return receiver ?? downloads;
    return combinedOutlook(receiver, downloads);
  }

  /** Of the session's estimates, as a rule of dash.js takes its throughput; null where there are none. */
  throughputBitsPerSecond(as: ThroughputKind): number | null {
    return as === "mean" ? this.#average.meanBitsPerSecond() : this.#average.newestBitsPerSecond();
  }

  /** dash.js's own throughput after a segment. */
  addThroughput(atMs: number, bitsPerSecond: number): void {
    this.#dashjs.add(atMs / 1000, bitsPerSecond, true);
  }

  /** Of the last video segments, bits per second, newest last. */
  segmentThroughputs(): readonly number[] {
    return this.#segmentThroughputs;
  }

  /** From a request to its first byte: median of the last; the round trip before the first. */
  firstByteSeconds(): number {
    return quantile(this.#firstByteSeconds, 0.5) ?? this.roundTripSeconds();
  }

  /** Smoothed, as the receiver is told of it, with what stands in the queue now. */
  roundTripSeconds(): number {
    return this.estimate.get()?.smoothedRttSeconds ?? UNMEASURED_ROUND_TRIP_SECONDS;
  }

  /** The last video segments, with what was known when a rule was asked for each; newest last. */
  pastDownloads(): readonly PastDownload[] {
    return this.#downloads;
  }

  /** Of a segment of this bitrate and length, by those that were fetched. */
  expectedBits(nominalBitsPerSecond: number, seconds: number): number {
    return this.#sizes.expectedBits(nominalBitsPerSecond, seconds);
  }

  /** A rule is asked: what is known is kept beside the segment that is asked for next. */
  rememberOutlook(atMs: number, otherBitsPerSecond: number): void {
    const outlook = this.outlook();
    if (outlook !== null) {
      appendBounded(
        this.#asked,
        { atMs, outlook, roundTripSeconds: this.firstByteSeconds(), otherBitsPerSecond },
        SEGMENTS_REMEMBERED,
      );
    }
  }

  addSegment(segment: SegmentRecord): void {
    const { mediaType, bytes, requestedAtMs, firstByteAtMs, endedAtMs } = segment;
    if (mediaType !== "video") return;
    const expectedBits = this.expectedBits(segment.bitsPerSecond, segment.durationSeconds);
    this.#sizes.add(segment.bitsPerSecond, segment.durationSeconds, 8 * bytes);
    const seconds = (endedAtMs - requestedAtMs) / 1000;
    const bitsPerSecond = (8 * bytes) / seconds;
    // One from a cache takes no time, and says nothing of the network.
    if (!(bitsPerSecond > 0) || !Number.isFinite(bitsPerSecond)) return;
    if (firstByteAtMs !== null) {
      const firstByteSeconds = Math.max(0, firstByteAtMs - requestedAtMs) / 1000;
      appendBounded(this.#firstByteSeconds, firstByteSeconds, FIRST_BYTES_REMEMBERED);
    }
    appendBounded(this.#segmentThroughputs, bitsPerSecond, SEGMENTS_REMEMBERED);
    const asked = this.#asked.findLast(({ atMs }) => atMs <= requestedAtMs + CLOCK_STEP_MS);
    if (asked !== undefined) {
      const { outlook, roundTripSeconds, otherBitsPerSecond } = asked;
      const download = {
        expectedBits: expectedBits + otherBitsPerSecond * segment.durationSeconds,
        seconds,
        silentSeconds: segment.silentMs / 1000,
        roundTripSeconds,
        outlook,
      };
      appendBounded(this.#downloads, download, SEGMENTS_REMEMBERED);
    }
  }

  #onEstimate(newest: NetworkEstimate | null): void {
    if (newest === null) {
      this.#session = new BandwidthHistory(); // what comes over HTTP is not what was measured
      this.#average = new DeliveryAverage();
    } else if (newest.bandwidthBitsPerSecond !== null) {
      const isFresh = newest.deliveredBitsPerSecond > 0;
      this.#session.add(newest.atMs / 1000, newest.bandwidthBitsPerSecond, isFresh);
      this.#average.add(newest.atMs / 1000, newest.bandwidthBitsPerSecond, isFresh);
    }
  }
}
