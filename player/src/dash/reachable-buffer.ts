/** How much a dash.js player can have buffered, as its scheduler decides when a segment of video is asked for. */

import type { MediaPlayerClass } from "dashjs";

export type BufferingPlayer = Pick<
  MediaPlayerClass,
  | "duration"
  | "getCurrentLiveLatency"
  | "getLowLatencyModeEnabled"
  | "getSettings"
  | "getTargetLiveDelay"
  | "isDynamic"
>;

/**
 * Below the top quality: `bufferTimeDefault`, and of a live stream no more than its delay, behind which nothing is there
 * yet. 0 where the setting is none. The stream must be there.
 */
export function fullBufferSeconds(
  player: Omit<BufferingPlayer, "duration" | "getLowLatencyModeEnabled">,
): number {
  const seconds = player.getSettings().streaming?.buffer?.bufferTimeDefault ?? 0;
  return Math.min(seconds, liveDelaySeconds(player));
}

/**
 * When the next segment is asked for, by rung of a ladder: dash.js 5.2.1 asks as soon as the segment fits below the target
 * (`_shouldBuffer` of ScheduleController.js), with the quality that it has and with the one that its rules then choose. Of
 * a live stream no segment is there before it is complete, unless it comes in chunks, as where dash.js is of low latency.
 */
export function reachableBufferSeconds(
  player: BufferingPlayer,
  rungs: number,
  segmentSeconds: number,
): readonly number[] {
  const buffer = player.getSettings().streaming?.buffer ?? {};
  const threshold = buffer.longFormContentDurationThreshold ?? Number.POSITIVE_INFINITY;
  // dash.js goes by the manifest's duration, and a live stream's has no end; `duration` is what can be gone back.
  const isLong = player.isDynamic() || player.duration() >= threshold;
  const target = buffer.bufferTimeDefault ?? 0;
  const top = (isLong ? buffer.bufferTimeAtTopQualityLongForm : buffer.bufferTimeAtTopQuality) ?? target;
  const isLowLatency = player.getLowLatencyModeEnabled();
  const complete = Math.max(0, liveDelaySeconds(player) - (isLowLatency ? 0 : segmentSeconds));
  const whenAsked = (targetSeconds: number): number =>
    targetSeconds <= segmentSeconds || isLowLatency ? targetSeconds : targetSeconds - segmentSeconds;
  return Array.from({ length: rungs }, (_, rung) =>
    Math.min(whenAsked(rung === rungs - 1 ? top : target), complete),
  );
}

/** Infinity where the stream is none, or its delay is not known yet. */
function liveDelaySeconds(
  player: Pick<BufferingPlayer, "getCurrentLiveLatency" | "getTargetLiveDelay" | "isDynamic">,
): number {
  if (!player.isDynamic()) {
    return Number.POSITIVE_INFINITY;
  }
  // A viewer who went back, or who waited, is farther behind than was planned.
  const delays = [player.getTargetLiveDelay(), player.getCurrentLiveLatency()].filter((delay) => delay > 0);
  return delays.length > 0 ? Math.max(...delays) : Number.POSITIVE_INFINITY;
}
