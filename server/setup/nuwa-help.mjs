import { spawnSync } from "node:child_process";
import { ROOT } from "./clone.mjs";

/**
 * Help of `npm run nuwa` is Python's alone, and answers before anything is installed.
 *
 * @param {readonly string[]} args
 * @returns exit code
 */
export function helpOfNuwa(args) {
  const python = process.env.NUWA_PYTHON ?? "python3";
  const environment = { ...process.env, PYTHONPATH: ROOT, PYTHONUTF8: "1" };
  const { status, error } = spawnSync(python, ["-P", "-m", "e2e.nuwa", ...args], {
    stdio: "inherit",
    env: environment,
  });
  if (error !== undefined) process.stderr.write(`nuwa-stream: ${python} cannot be run: ${error.message}\n`);
  return status ?? 2;
}
