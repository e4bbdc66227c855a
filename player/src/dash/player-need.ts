/** What a dash.js player needs of the network, as the receiver is told it. */

import type { MediaPlayerClass } from "dashjs";
import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import { rungsOf } from "./film-quality.ts";
import { fullBufferSeconds } from "./reachable-buffer.ts";

type NeedingPlayer = Pick<
  MediaPlayerClass,
  | "getBufferLength"
  | "getCurrentLiveLatency"
  | "getCurrentRepresentationForType"
  | "getPlaybackRate"
  | "getRepresentationsByType"
  | "getSettings"
  | "getTargetLiveDelay"
  | "isDynamic"
  | "isReady"
  | "setRepresentationForTypeById"
  | "updateSettings"
>;

/** null before there is a film. The rung is the highest one, or the one that a viewer holds. */
export function playerNeed(player: NeedingPlayer): Need | null {
  const top = rungsOf(player).at(-1)?.bitsPerSecond;
  const full = top === undefined ? 0 : fullBufferSeconds(player);
  if (top === undefined || full <= 0) {
    return null;
  }
  const { abr } = player.getSettings().streaming ?? {};
  const held = player.getCurrentRepresentationForType("video")?.bandwidth ?? top;
  const video = abr?.autoSwitchBitrate?.video === false ? held : top;
  const audio = player.getCurrentRepresentationForType("audio")?.bandwidth ?? 0;
  const rate = ((video + audio) / 8) * Math.max(1, player.getPlaybackRate() || 1);
  return {
    rateBytesPerSecond: rate > 0 ? rate : null,
    bufferSeconds: Math.max(0, player.getBufferLength("video") || 0),
    fullBufferSeconds: full,
  };
}
