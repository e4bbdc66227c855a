import type { MediaPlayerClass, MediaPlayerSettingClass } from "dashjs";
import { PlayerExtensions } from "./player-extensions.ts";

/** Changes some of a player's settings. What it returns sets them back. */
export function changeSettings(player: MediaPlayerClass, settings: MediaPlayerSettingClass): () => void {
  const before = settingsUnder(player.getSettings(), settings);
  player.updateSettings(settings);
  return () => {
    player.updateSettings(before);
    chooseBolaWhereItIsAlone(player);
  };
}

/** dash.js decides only at a stream's beginning that BOLA rules alone; switched on later it would never be asked. */
function chooseBolaWhereItIsAlone(player: MediaPlayerClass): void {
  const rules = player.getSettings().streaming?.abr?.rules;
  if (rules?.bolaRule?.active === true && rules.throughputRule?.active !== true) {
    for (const mediaType of ["video", "audio"]) {
      PlayerExtensions.of(player).collection?.setBolaState(mediaType, true);
    }
  }
}

type Tree = { readonly [name: string]: unknown };
/** A list is one setting. */
const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a player's settings say where others are about to be set, to set them back later. */
export function settingsUnder(
  present: MediaPlayerSettingClass,
  others: MediaPlayerSettingClass,
): MediaPlayerSettingClass {
  const under = (here: Tree, there: Tree): Tree =>
    Object.fromEntries(
      Object.entries(there).map(([name, value]) => {
        const current = here[name];
        return [name, isTree(value) && isTree(current) ? under(current, value) : current];
      }),
    );
  return under(present as Tree, others as Tree) as MediaPlayerSettingClass;
}
