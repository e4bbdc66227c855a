import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Problem } from "../../server/problem.mjs";
import { collectOutput, runCommand } from "../../server/setup/children.ts";
import { playerBuild } from "../../server/setup/player-build.ts";
import { pythonEnvironment } from "../../server/setup/python-environments.ts";
import { runSteps } from "../../server/setup/steps.ts";
import { knownEnvironment, ROOT } from "./environment.ts";
import { productBuild } from "./product/product-build.ts";

const PREPARE = fileURLToPath(new URL("setup/prepare.ts", import.meta.url));
/** It may install mahimahi. */
const PREPARE_LIMIT_MS = 20 * 60_000;

/**
 * Gets ready what a run takes and is not there yet: the Python environment, the player as it is built, the
 * server in one file, and what `setup/prepare.ts` finds out about browsers and mahimahi. Says so on standard error.
 *
 * @throws Problem naming what could not be done, or the signal's reason
 */
export async function prepareMachine(signal: AbortSignal): Promise<void> {
  await runSteps([pythonEnvironment, playerBuild, productBuild], { signal, output: process.stderr });
  if ((await knownEnvironment()) !== null) return;
  process.stderr.write("looking for browsers and mahimahi\n");
  // Its exit status tells whether all of it was found; who needs what is missing says so. Standard output is the run's own.
  const command = [process.execPath, "--import", "tsx", PREPARE] as const;
  const { stdout, stderr } = await collectOutput(command, { cwd: ROOT, signal, timeoutMs: PREPARE_LIMIT_MS });
  process.stderr.write(stdout + stderr);
}

/**
 * Builds the player of another clone, whose `node_modules` are there.
 *
 * @throws Problem, or the signal's reason
 */
export async function buildPlayerOf(clone: string, signal: AbortSignal): Promise<void> {
  process.stderr.write(`building the player of ${clone}\n`);
  const vite = join(clone, "node_modules", "vite", "bin", "vite.js");
  const command = [process.execPath, vite, "build", "player", "--logLevel", "warn"] as const;
  if ((await runCommand(command, { cwd: clone, signal })) !== 0) {
    throw new Problem(
      `the player of ${clone} cannot be built: run npm ci there, and correct what was named above`,
    );
  }
}
