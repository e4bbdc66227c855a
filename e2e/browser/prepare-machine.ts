import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../server/setup/children.ts";
import { playerBuild } from "../../server/setup/player-build.ts";
import { pythonEnvironment } from "../../server/setup/python-environments.ts";
import { runSteps } from "../../server/setup/steps.ts";
import { ENVIRONMENT_FILE, ROOT } from "./environment.ts";

const PREPARE = fileURLToPath(new URL("setup/prepare.ts", import.meta.url));

/**
 * Gets ready what a run takes and is not there yet: the Python environment, the player as it is built, and what
 * `setup/prepare.ts` finds out about browser and mahimahi. Shows its progress.
 *
 * @throws Problem naming what could not be done, or the signal's reason
 */
export async function prepareMachine(signal: AbortSignal): Promise<void> {
  await runSteps([pythonEnvironment, playerBuild], { signal, output: process.stderr });
  if (existsSync(ENVIRONMENT_FILE)) return;
  process.stderr.write("looking for a browser and mahimahi\n");
  // Its exit status tells whether all of it was found; who needs what is missing says so.
  await runCommand([process.execPath, "--import", "tsx", PREPARE], { cwd: ROOT, signal });
}
