import { buildPlayer } from "../cell/build-player.ts";

/** Runs once before the tests of this folder: they drive the player as it is built, not its sources. */
export default async function setup(): Promise<void> {
  await buildPlayer(new AbortController().signal);
}
