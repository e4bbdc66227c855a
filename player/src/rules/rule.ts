/**
 * What an adaptation rule is, and all that it sees. A rule is a pure function of numbers: no clock, nothing of dash.js,
 * nothing of the page. Times are seconds of the viewer's clock: at twice the speed a segment is half as long, and so is what
 * is buffered. Rates are bits per second. A rung is a place in the ladder of bitrates.
 */

import type { BandwidthOutlook } from "./bandwidth-outlook.ts";

/** A video segment that has come, and how the network looked when it was asked for. */
export interface PastDownload {
  /** What it was expected to weigh, with what other streams take meanwhile. */
  readonly expectedBits: number;
  /** From its request to its end. */
  readonly seconds: number;
  /** Of these: pauses of a second and more in which nothing came. */
  readonly silentSeconds: number;
  /** As RuleContext has it. */
  readonly roundTripSeconds: number;
  readonly outlook: BandwidthOutlook;
}

/** What is known when the next video segment is to be chosen. */
export interface RuleContext {
  /** Bitrates of the representations, ascending; never empty. */
  readonly ladderBitsPerSecond: readonly number[];
  /** Rung of the present representation; null before the first segment. */
  readonly currentIndex: number | null;
  readonly segmentSeconds: number;
  /** Video ahead of the playhead. */
  readonly bufferSeconds: number;
  /**
   * The most that can be buffered when the next segment is asked for, by rung: a segment follows one of the same rung as soon
   * as no more than this is buffered, and one of another rung when no more than the lesser of both is.
   */
  readonly reachableBufferSeconds: readonly number[];
  /** Bandwidth now, of late, and how it varies; null before anything was measured. */
  readonly outlook: BandwidthOutlook | null;
  /** What the next segments are expected to weigh, by rung and in the film's order; the last one stands for all after it. */
  readonly segmentBits: readonly (readonly number[])[];
  /** VMAF of the next segments, as `segmentBits`; null where the film's is not known. */
  readonly segmentVmaf: readonly (readonly number[])[] | null;
  /** VMAF of the segment before, in the present rung; null where it is not known. */
  readonly previousVmaf: number | null;
  /** Video segments that are still to be fetched, this one included; null where the film has no end. */
  readonly remainingSegments: number | null;
  /** The last video segments, and what was known when each was asked for; newest last. */
  readonly pastDownloads: readonly PastDownload[];
  /** Bytes of each of the last video segments over the time from its request to its end; newest last, all above 0. */
  readonly segmentThroughputsBitsPerSecond: readonly number[];
  /** As the receiver measures it; 0 where it measures none. */
  readonly queueingDelaySeconds: number;
  /** The queueing delay that the scheme holds; null under a scheme that has no target. */
  readonly targetDelaySeconds: number | null;
  /** From a request to its first byte, as the last ones took: when one is made, the queue of the one before has drained. */
  readonly roundTripSeconds: number;
  /** What other streams (audio) take. */
  readonly otherBitsPerSecond: number;
}

/** What is known of a video segment that is being downloaded. */
export interface DownloadContext {
  readonly ladderBitsPerSecond: readonly number[];
  /** Rung that is being downloaded. */
  readonly index: number;
  readonly segmentSeconds: number;
  /** Rung of the segment before it; null for the first. */
  readonly previousIndex: number | null;
  /** Since it was asked for. */
  readonly elapsedSeconds: number;
  /** Since anything came of it, or since it was asked for. */
  readonly silentSeconds: number;
  readonly loadedBytes: number;
  /** null before its head has come. */
  readonly totalBytes: number | null;
  readonly bufferSeconds: number;
  readonly outlook: BandwidthOutlook | null;
  readonly segmentBits: readonly (readonly number[])[];
  /** From the segment that is being downloaded on; null where the film's is not known. */
  readonly segmentVmaf: readonly (readonly number[])[] | null;
  /** Of the segment before it, in its rung; null where it is not known. */
  readonly previousVmaf: number | null;
  readonly pastDownloads: readonly PastDownload[];
  /** With the queue of what is under way: a replacement waits behind it. */
  readonly roundTripSeconds: number;
}

/** The numbers that decided. `why` says in a few words what they mean; the page shows it. */
export type Reason = { readonly why: string } & Readonly<Record<string, string | number | boolean | null>>;

export interface Decision {
  /** The rung to fetch. */
  readonly index: number;
  readonly reason: Reason;
}

/** A rule of this project: a file of this folder and a line in own.ts. */
export interface OwnRule {
  /** In queries, options and tables; lower case. */
  readonly name: string;
  /** In menus, and as who decided a switch. */
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** Whether it asks for VMAF, which the player then looks for beside the manifest. */
  readonly readsVmaf?: true;
  /** Asked before every video segment. */
  readonly decide: (context: RuleContext) => Decision;
  /** Asked while one is downloaded: null goes on with it. Without it no download is given up. */
  readonly abandon?: (context: DownloadContext) => Decision | null;
}
