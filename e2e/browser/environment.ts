import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BUILD } from "../../server/setup/paths.ts";
import type { Mahimahi } from "./setup/shell-command.ts";

export { BUILD as BUILD_DIRECTORY, ROOT, VENV_PYTHON as PYTHON } from "../../server/setup/paths.ts";

/** What the set-up found on this machine; a reason says why something is not there. */
export interface Environment {
  /** Path. */
  readonly chrome: string | null;
  readonly chromeVersion?: string;
  readonly chromeReason?: string;
  readonly mahimahi: Mahimahi | null;
  readonly mahimahiReason?: string;
}

export const ENVIRONMENT_FILE = join(BUILD, "e2e", "environment.json");

export async function readEnvironment(): Promise<Environment> {
  const text = await readFile(ENVIRONMENT_FILE, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(
      `the browser tests are not set up (${ENVIRONMENT_FILE} is missing): run npm run prepare-machine`,
    );
  });
  return JSON.parse(text) as Environment;
}
