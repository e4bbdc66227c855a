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
    fullBufferSeconds: hls.maxBufferLength,
  };
}
