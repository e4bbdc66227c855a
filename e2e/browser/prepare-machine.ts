import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PLAYER, ROOT, SETUP } from "../../server/setup/paths.mjs";
import { playerBuild } from "../../server/setup/player-build.mjs";
import { pythonEnvironment } from "../../server/setup/python-environment.mjs";
import { runCommand } from "../../server/setup/run-command.mjs";
import { runSteps } from "../../server/setup/steps.mjs";
import { ENVIRONMENT_FILE } from "./environment.ts";

const PREPARE = fileURLToPath(new URL("setup/prepare.mjs", import.meta.url));

/**
 * Gets ready what a run takes and is not there yet: the Python environment, the player as it is built, and what
 * `setup/prepare.mjs` finds out about browser and mahimahi. Shows its progress.
 *
 * @throws Problem naming what could not be done, or the signal's reason
 */
export async function prepareMachine(signal: AbortSignal): Promise<void> {
  const steps = [pythonEnvironment(ROOT, process.env), playerBuild(ROOT, PLAYER)];
  await runSteps(steps, { root: ROOT, setupFolder: SETUP, signal, output: process.stderr });
  if (existsSync(ENVIRONMENT_FILE)) return;
  process.stderr.write("looking for a browser and mahimahi\n");
  // Its exit status tells whether all of it was found; who needs what is missing says so.
  await runCommand([process.execPath, PREPARE], { cwd: ROOT, signal });
}
