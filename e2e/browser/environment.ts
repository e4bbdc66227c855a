import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BUILD } from "../../server/setup/paths.ts";
import { BROWSER_KINDS, type BrowserKind } from "./browsers/program.ts";
import type { Mahimahi } from "./setup/shell-command.ts";

export { BUILD as BUILD_DIRECTORY, ROOT, VENV_PYTHON as PYTHON } from "../../server/setup/paths.ts";

/** Where a browser is, or why there is none. */
export type FoundBrowser =
  | { readonly path: string; readonly version: string }
  | { readonly path: null; readonly reason: string };

/** What the set-up found on this machine; a reason says why something is not there. */
export interface Environment {
  readonly browsers: Readonly<Record<BrowserKind, FoundBrowser>>;
  readonly mahimahi: Mahimahi | null;
  readonly mahimahiReason?: string;
}

export const ENVIRONMENT_FILE = join(BUILD, "e2e", "environment.json");

/** @throws Error where this machine has not been looked at for all that is in it */
export async function readEnvironment(): Promise<Environment> {
  const known = await knownEnvironment();
  if (known !== null) return known;
  throw new Error(`the browser tests are not set up (${ENVIRONMENT_FILE}): run npm run prepare-machine`);
}

/** @returns null where this machine has not been looked at, or not for browsers of every kind */
export async function knownEnvironment(): Promise<Environment | null> {
  const text = await readFile(ENVIRONMENT_FILE, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return "{}";
  });
  const { browsers, ...found } = JSON.parse(text) as Partial<Environment>;
  const isKnown = browsers !== undefined && BROWSER_KINDS.every((kind) => kind in browsers);
  return isKnown ? ({ ...found, browsers } as Environment) : null;
}
