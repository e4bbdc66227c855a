import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone: where package.json lies. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** Stamps, logs and the lock of the set-up. */
export const SETUP = join(ROOT, ".build", "setup");
