import { join } from "node:path";
import { ROOT } from "./clone.mjs";

export { ROOT, SETUP, VENV, VENV_PYTHON } from "./clone.mjs";

/** Everything that is made, except `.venv` and `node_modules`. */
export const BUILD = join(ROOT, ".build");

export const PLAYER = join(BUILD, "player");
export const MEDIA = join(BUILD, "media");

/** Trained policies with their cards: shipped, not made here. */
export const POLICIES = join(ROOT, "models", "policies");

/** What training needs is large, and has an environment of its own. */
export const TRAINING_VENV = join(BUILD, "venv-train");
export const TRAINING_PYTHON = join(TRAINING_VENV, "bin", "python");
