import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./setup/clone.mjs";

/** Set by an image, which has no history. */
const COMMIT_VARIABLE = "NUWA_COMMIT";

/**
 * Which nuwa-stream this is. Without packages, since `--version` may be the first that is asked.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {{version: string, commit: string | null}} null: neither git nor the image says
 */
export function readVersion(environment = process.env) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return { version, commit: environment[COMMIT_VARIABLE] || commitOfClone() };
}

/** @returns {string} as `--version` prints it */
export function versionLine() {
  const { version, commit } = readVersion();
  return `nuwa-stream ${version}, commit ${commit ?? "unknown"}\n`;
}

/** @returns {string | null} null, too, where there is no git, or the clone is another user's */
function commitOfClone() {
  if (!existsSync(join(ROOT, ".git"))) return null;
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
