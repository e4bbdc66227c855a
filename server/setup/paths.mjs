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
export const VENV_PYTHON = programOf(VENV, "python");

/** There once the packages for tests are. */
export const VENV_PYTEST = programOf(VENV, "pytest");

/** What training needs is large, and has an environment of its own. */
export const TRAINING_VENV = join(BUILD, "venv-train");

export const TRAINING_PYTHON = programOf(TRAINING_VENV, "python");

/**
 * @param {string} environment
 * @param {string} name
 */
function programOf(environment, name) {
  return process.platform === "win32"
    ? join(environment, "Scripts", `${name}.exe`)
    : join(environment, "bin", name);
}
