import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone: where package.json lies. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** Everything that is made, except `.venv` and `node_modules`. */
export const BUILD = join(ROOT, ".build");

/** Stamps, logs and the lock of the set-up. */
export const SETUP = join(BUILD, "setup");

export const PLAYER = join(BUILD, "player");
export const MEDIA = join(BUILD, "media");

/** Trained policies with their cards: shipped, not made here. */
export const POLICIES = join(ROOT, "models", "policies");

/** The clone's own Python environment. */
export const VENV = join(ROOT, ".venv");

/** The environment's interpreter. */
export const VENV_PYTHON =
  process.platform === "win32" ? join(VENV, "Scripts", "python.exe") : join(VENV, "bin", "python");
