/** For tests of rules: a film of six rungs in its middle, over a steady link. */

import type { BandwidthOutlook } from "./bandwidth-outlook.ts";
import type { DownloadContext, RuleContext } from "./rule.ts";

export const LADDER = [0.3e6, 0.7e6, 1.5e6, 2.8e6, 5e6, 8e6] as const;

export function steady(megabitsPerSecond: number, variation = 0): BandwidthOutlook {
  const bitsPerSecond = megabitsPerSecond * 1e6;
  return {
    nowBitsPerSecond: bitsPerSecond,
    recentBitsPerSecond: bitsPerSecond,
    sustainedBitsPerSecond: bitsPerSecond,
    variation,
  };
}

/** Segments weigh what the ladder says, unless told otherwise. */
export function madeContext(changes: Partial<RuleContext> = {}): RuleContext {
  const { ladderBitsPerSecond = LADDER, segmentSeconds = 2 } = changes;
  return {
    ladderBitsPerSecond,
    currentIndex: 3,
    segmentSeconds,
    bufferSeconds: 12,
    reachableBufferSeconds: ladderBitsPerSecond.map(() => 18 - segmentSeconds),
    outlook: null,
    segmentBits: ladderBitsPerSecond.map((rung) => [rung * segmentSeconds]),
    segmentVmaf: null,
    previousVmaf: null,
    remainingSegments: 100,
    pastDownloads: [],
    segmentThroughputsBitsPerSecond: [],
    queueingDelaySeconds: 0,
    targetDelaySeconds: null,
    roundTripSeconds: 0.05,
    otherBitsPerSecond: 0,
    ...changes,
  };
}

/** Rung 4 of 5 Mbit/s: 10 Mbit in 2 s, 2 Mbit of it here, 3 s of buffer, the link at 1 Mbit/s. */
export function madeDownload(changes: Partial<DownloadContext> = {}): DownloadContext {
  const { ladderBitsPerSecond = LADDER, segmentSeconds = 2 } = changes;
  return {
    ladderBitsPerSecond,
    index: 4,
    previousIndex: 4,
    segmentSeconds,
    elapsedSeconds: 1,
    silentSeconds: 0,
    loadedBytes: 250_000,
    totalBytes: 1_250_000,
    bufferSeconds: 3,
    outlook: steady(1),
    segmentBits: ladderBitsPerSecond.map((rung) => [rung * segmentSeconds]),
    segmentVmaf: null,
    previousVmaf: null,
    pastDownloads: [],
    roundTripSeconds: 0.05,
    ...changes,
  };
}
