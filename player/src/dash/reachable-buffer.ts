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
  return upToLiveEdge(player, player.getSettings().streaming?.buffer?.bufferTimeDefault ?? 0);
}

/**
 * When the next segment is asked for, by rung of a ladder: dash.js 5.2.1 asks as soon as the segment fits below the target
 * (`_shouldBuffer` of ScheduleController.js), with the quality that it has and with the one that its rules then choose.
 */
export function reachableBufferSeconds(
  player: BufferingPlayer,
  rungs: number,
  segmentSeconds: number,
): readonly number[] {
  const buffer = player.getSettings().streaming?.buffer ?? {};
  const full = fullBufferSeconds(player);
  const isLong = player.duration() >= (buffer.longFormContentDurationThreshold ?? Number.POSITIVE_INFINITY);
  const top = isLong ? buffer.bufferTimeAtTopQualityLongForm : buffer.bufferTimeAtTopQuality;
  const whenAsked = (targetSeconds: number): number =>
    targetSeconds <= segmentSeconds || player.getLowLatencyModeEnabled()
      ? targetSeconds
      : targetSeconds - segmentSeconds;
  return Array.from({ length: rungs }, (_, rung) =>
    whenAsked(rung === rungs - 1 && top !== undefined ? upToLiveEdge(player, top) : full),
  );
}

function upToLiveEdge(
  player: Pick<BufferingPlayer, "getCurrentLiveLatency" | "getTargetLiveDelay" | "isDynamic">,
  seconds: number,
): number {
  if (!player.isDynamic()) return seconds;
  // A viewer who went back, or who waited, is farther behind than was planned.
  const [planned, present] = [player.getTargetLiveDelay(), player.getCurrentLiveLatency()];
  const delays = [planned, present].filter((delay) => delay > 0);
  return Math.min(seconds, delays.length === 0 ? seconds : Math.max(...delays));
}
