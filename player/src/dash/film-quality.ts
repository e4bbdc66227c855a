/** The rungs of a film, and one of them held for as long as the viewer wants. */

import type { MediaPlayerClass, MediaPlayerSettingClass } from "dashjs";

/** A representation of the video, as a viewer tells it from others. */
export interface Rung {
  readonly id: string;
  readonly bitsPerSecond: number;
  readonly widthPixels: number;
  readonly heightPixels: number;
}

type QualityPlayer = Pick<
  MediaPlayerClass,
  "getRepresentationsByType" | "isReady" | "setRepresentationForTypeById" | "updateSettings"
>;

/** Those that this browser can decode, by bitrate; none before the stream is there. */
export function rungsOf(player: QualityPlayer): Rung[] {
  const representations = player.isReady() ? (player.getRepresentationsByType("video") ?? []) : [];
  return representations
    .map(({ id, bandwidth, width, height }) => ({
      id,
      bitsPerSecond: bandwidth,
      widthPixels: width,
      heightPixels: height,
    }))
    .sort((one, other) => one.bitsPerSecond - other.bitsPerSecond);
}

/** The rung that is nearest to a bitrate: queries are kept for films with other ladders. */
export function nearestRung(rungs: readonly Rung[], bitsPerSecond: number): Rung | null {
  const distance = (rung: Rung): number => Math.abs(Math.log(rung.bitsPerSecond / bitsPerSecond));
  return rungs.reduce<Rung | null>(
    (best, rung) => (best === null || distance(rung) < distance(best) ? rung : best),
    null,
  );
}

/** Whether rules choose the video's representation. Before the stream is there it holds for the first one. */
export function letRulesChoose(player: QualityPlayer, isAutomatic: boolean): void {
  const settings: MediaPlayerSettingClass = {
    streaming: { abr: { autoSwitchBitrate: { video: isAutomatic } } },
  };
  player.updateSettings(settings);
}

/** Asks for the nearest rung from the next segment on; what is buffered is played. null gives it back to the rules. */
export function holdRung(player: QualityPlayer, bitsPerSecond: number | null): void {
  letRulesChoose(player, bitsPerSecond === null);
  const rung = bitsPerSecond === null ? null : nearestRung(rungsOf(player), bitsPerSecond);
  if (rung !== null) {
    player.setRepresentationForTypeById("video", rung.id);
  }
}
