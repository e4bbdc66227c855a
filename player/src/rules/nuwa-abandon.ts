/** Whether to give up a download that will stall the film, and what to fetch instead. Pure: seconds, bytes, bits per second. */

import { predictedBitsPerSecond } from "./bandwidth-outlook.ts";
import type { DownloadContext } from "./rule.ts";

/** Nothing is given up before this time: the estimate must have seen the fall. */
const LEAST_ELAPSED_SECONDS = 0.5;
/** Buffer that should be left when the download ends. */
const MARGIN_SECONDS = 0.5;
/** The replacement must cost less than this share of what is still missing: half-fetched data is lost. */
const WORTHWHILE_SHARE = 0.8;

interface AbandonChoice {
  /** Rung to fetch instead. */
  readonly index: number;
  readonly reason: {
    readonly why: "download would stall";
    readonly bufferSeconds: number;
    readonly remainingSeconds: number;
    readonly replacementSeconds: number;
    readonly bandwidthBitsPerSecond: number;
  };
}

/** null to go on with the download. */
export function chooseAbandon(input: DownloadContext): AbandonChoice | null {
  const { outlook, ladderBitsPerSecond: ladder, totalBytes, bufferSeconds } = input;
  const present = ladder[input.index];
  if (outlook === null || present === undefined || input.index === 0) {
    return null;
  }
  const remainingBits = 8 * (totalBytes - input.loadedBytes);
  if (input.elapsedSeconds < LEAST_ELAPSED_SECONDS || remainingBits <= 0) {
    return null;
  }
  const rate = predictedBitsPerSecond(outlook, Math.min(bufferSeconds, input.segmentSeconds));
  const remainingSeconds = remainingBits / rate;
  if (remainingSeconds <= bufferSeconds - MARGIN_SECONDS) {
    return null;
  }
  // The segment's own size, scaled to the rung, knows how hard this scene is to encode.
  const bitsAt = (index: number): number => (8 * totalBytes * (ladder[index] ?? present)) / present;
  let index = input.index - 1;
  while (index > 0 && bitsAt(index) / rate > bufferSeconds - MARGIN_SECONDS) {
    index -= 1;
  }
  if (bitsAt(index) > WORTHWHILE_SHARE * remainingBits) {
    return null;
  }
  return {
    index,
    reason: {
      why: "download would stall",
      bufferSeconds,
      remainingSeconds,
      replacementSeconds: bitsAt(index) / rate,
      bandwidthBitsPerSecond: outlook.nowBitsPerSecond,
    },
  };
}
