import { spawnSync } from "node:child_process";
import { ROOT } from "./clone.mjs";
import { pythonForQuestions } from "./find-python.mjs";

/**
 * Help of `npm run nuwa` is Python's alone, and answers before anything is installed.
 *
 * @param {readonly string[]} args
 * @returns {number} exit code
 * @throws {import("../problem.mjs").Problem} if there is no Python
 */
export function helpOfNuwa(args) {
  const environment = { ...process.env, PYTHONPATH: ROOT, PYTHONUTF8: "1" };
  const { status } = spawnSync(pythonForQuestions(), ["-P", "-m", "e2e.nuwa", ...args], {
    stdio: "inherit",
    env: environment,
  });
  return status ?? 2;
}
