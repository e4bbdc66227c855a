import { PLAYER, ROOT, SETUP } from "../../server/setup/paths.mjs";
import { playerBuild } from "../../server/setup/player-build.mjs";
import { runSteps } from "../../server/setup/steps.mjs";

/** Builds the player unless it is built already, as `npm start` does. */
export async function buildPlayer(signal: AbortSignal): Promise<void> {
  const context = { root: ROOT, setupFolder: SETUP, signal, output: process.stderr };
  await runSteps([playerBuild(ROOT, PLAYER)], context);
}
