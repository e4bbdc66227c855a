import type shaka from "shaka-player";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";

type NeedingPlayer = Pick<
  shaka.Player,
  | "getBufferedInfo"
  | "getConfiguration"
  | "getMediaElement"
  | "getPlaybackRate"
  | "getVariantTracks"
  | "isLive"
  | "seekRange"
>;

/** What a Shaka Player needs of the network; null before there is a film. The variant is the highest, or the one that is held. */
export function shakaNeed(player: NeedingPlayer): Need | null {
  const { abr, streaming } = player.getConfiguration();
  const media = player.getMediaElement();
  const tracks = player.getVariantTracks().filter(({ active }) => active || abr.enabled);
  if (media === null || tracks.length === 0 || !(streaming.bufferingGoal > 0)) {
    return null;
  }
  const bitsPerSecond = Math.max(...tracks.map(({ bandwidth }) => bandwidth));
  const { currentTime } = media;
  const buffered = player
    .getBufferedInfo()
    .total.find(({ start, end }) => start <= currentTime && currentTime < end);
  return {
    rateBytesPerSecond:
      bitsPerSecond > 0 ? (bitsPerSecond / 8) * Math.max(1, player.getPlaybackRate()) : null,
    bufferSeconds: buffered === undefined ? 0 : buffered.end - currentTime,
    fullBufferSeconds: Math.min(streaming.bufferingGoal, liveDelaySeconds(player, currentTime)),
  };
}

/** Behind the live edge nothing is there yet. Infinity where the stream is none, or its delay is not known yet. */
function liveDelaySeconds(player: NeedingPlayer, currentTimeSeconds: number): number {
  const delay = player.isLive() ? player.seekRange().end - currentTimeSeconds : 0;
  return delay > 0 ? delay : Number.POSITIVE_INFINITY;
}
