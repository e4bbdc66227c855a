import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOT, SETUP } from "../../server/setup/paths.mjs";
import { pythonEnvironment } from "../../server/setup/python-environment.mjs";
import { runCommand } from "../../server/setup/run-command.mjs";
import { runSteps } from "../../server/setup/steps.mjs";
import { ENVIRONMENT_FILE, readEnvironment } from "../browser/environment.ts";
import { LinkError } from "../browser/link/trace.ts";
import type { Mahimahi } from "../browser/setup/shell-command.mjs";
import type { Place } from "./plan.ts";

const PREPARE = fileURLToPath(new URL("../browser/setup/prepare.mjs", import.meta.url));

/** What this machine has for runs. */
export interface LaboratoryMachine {
  /** null where it was not asked for and is not known. */
  mahimahi: Mahimahi | null;
}

/**
 * Gets ready what runs in these places take: the Python environment, and for mahimahi what `setup/prepare.mjs` does. No browser
 * and no player is needed.
 *
 * @throws Problem naming what could not be done, LinkError where mahimahi cannot be had, or the signal's reason
 */
export async function prepareLaboratory(
  places: readonly Place[],
  signal: AbortSignal,
): Promise<LaboratoryMachine> {
  const steps = [pythonEnvironment(ROOT, process.env)];
  await runSteps(steps, { root: ROOT, setupFolder: SETUP, signal, output: process.stderr });
  const needsMahimahi = places.includes("mahimahi");
  if (!existsSync(ENVIRONMENT_FILE)) {
    if (!needsMahimahi) return { mahimahi: null };
    process.stderr.write("looking for mahimahi\n");
    await runCommand([process.execPath, PREPARE], { cwd: ROOT, signal });
  }
  const { mahimahi, mahimahiReason } = await readEnvironment();
  if (needsMahimahi && mahimahi === null) throw new LinkError(mahimahiReason ?? "mahimahi is not there");
  return { mahimahi };
}
