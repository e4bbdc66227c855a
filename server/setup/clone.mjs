import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone: where package.json lies. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** Runs a command that ends with this process. */
export const PROCESS_GROUP = join(ROOT, "server", "setup", "process-group.mjs");

/** The clone's own Python environment. */
export const VENV = join(ROOT, ".venv");
export const VENV_PYTHON = join(VENV, "bin", "python");

/** Stamps, logs and the lock of the set-up. */
export const SETUP = join(ROOT, ".build", "setup");
