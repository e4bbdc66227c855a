import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "./setup/prepare.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BUILD_DIRECTORY = join(ROOT, ".build");

/** The clone's own. */
export const PYTHON = join(ROOT, ".venv", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");

export const ENVIRONMENT_FILE = join(BUILD_DIRECTORY, "e2e", "environment.json");

/** What `node e2e/browser/setup/prepare.mjs` found on this machine. */
export async function readEnvironment(): Promise<Environment> {
  const text = await readFile(ENVIRONMENT_FILE, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(
      `the browser tests are not set up (${ENVIRONMENT_FILE} is missing): run node e2e/browser/setup/prepare.mjs`,
    );
  });
  return JSON.parse(text) as Environment;
}
