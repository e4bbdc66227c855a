import type Hls from "hls.js";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";

/** What hls.js needs of the network; null before there is a film. The level is the highest one, or the one that is held. */
export function hlsNeed(hls: Hls): Need | null {
  const { levels, autoLevelEnabled, loadLevel, media } = hls;
  const bitrates = (autoLevelEnabled ? levels : levels.slice(loadLevel, loadLevel + 1)).map(
    ({ maxBitrate }) => maxBitrate,
  );
  if (media === null || bitrates.length === 0) {
    return null;
  }
  const bitsPerSecond = Math.max(...bitrates);
  return {
    rateBytesPerSecond: bitsPerSecond > 0 ? (bitsPerSecond / 8) * Math.max(1, media.playbackRate) : null,
    bufferSeconds: Math.max(0, hls.mainForwardBufferInfo?.len ?? 0),
    fullBufferSeconds: Math.min(hls.maxBufferLength, liveDelaySeconds(hls)),
  };
}

/** Behind the live edge nothing is there yet. Infinity where the stream is none, or its delay is not known yet. */
function liveDelaySeconds({ latestLevelDetails, targetLatency, latency }: Hls): number {
  const delay = Math.max(targetLatency ?? 0, latency);
  return latestLevelDetails?.live === true && delay > 0 ? delay : Number.POSITIVE_INFINITY;
}
