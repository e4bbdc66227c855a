import type { MediaPlayerClass } from "dashjs";

/** Calls back with a player's events, by their names. What it returns ends that. */
export function listenTo(
  player: Pick<MediaPlayerClass, "off" | "on">,
  listeners: Readonly<Record<string, (event: never) => void>>,
): () => void {
  const each = Object.entries(listeners) as [event: "error", listener: never][];
  for (const one of each) {
    player.on(...one);
  }
  return () => {
    for (const one of each) {
      player.off(...one);
    }
  };
}
