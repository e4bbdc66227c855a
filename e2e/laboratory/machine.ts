import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../server/setup/children.ts";
import { ROOT } from "../../server/setup/paths.ts";
import { pythonEnvironment } from "../../server/setup/python-environments.ts";
import { runSteps } from "../../server/setup/steps.ts";
import { ENVIRONMENT_FILE, readEnvironment } from "../browser/environment.ts";
import { LinkError } from "../browser/link/trace.ts";
import type { Mahimahi } from "../browser/setup/shell-command.ts";
import type { Place } from "./plan.ts";

const PREPARE = fileURLToPath(new URL("../browser/setup/prepare.ts", import.meta.url));

/** What this machine has for runs. */
export interface LaboratoryMachine {
  /** null where it was not asked for and is not known. */
  mahimahi: Mahimahi | null;
}

/**
 * Gets ready what runs in these places take: the Python environment, and for mahimahi what `setup/prepare.ts` does. No browser
 * and no player is needed.
 *
 * @throws Problem naming what could not be done, LinkError where mahimahi cannot be had, or the signal's reason
 */
export async function prepareLaboratory(
  places: readonly Place[],
  signal: AbortSignal,
): Promise<LaboratoryMachine> {
  await runSteps([pythonEnvironment], { signal, output: process.stderr });
  const needsMahimahi = places.includes("mahimahi");
  if (!existsSync(ENVIRONMENT_FILE)) {
    if (!needsMahimahi) return { mahimahi: null };
    process.stderr.write("looking for mahimahi\n");
    await runCommand([process.execPath, "--import", "tsx", PREPARE], { cwd: ROOT, signal });
  }
  const { mahimahi, mahimahiReason } = await readEnvironment();
  if (needsMahimahi && mahimahi === null) throw new LinkError(mahimahiReason ?? "mahimahi is not there");
  return { mahimahi };
}
