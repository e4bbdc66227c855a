import { existsSync } from "node:fs";
import { findPython } from "./find-python.mjs";
import { ROOT, VENV_PYTHON } from "./paths.mjs";
import { runChild } from "./run-child.mjs";

/**
 * `npm run trace`: passes everything on to e2e/laboratory. Python alone is needed for it, and the laboratory's packages
 * for pictures.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function trace(args, environment, signal) {
  const python = existsSync(VENV_PYTHON) ? VENV_PYTHON : findPython(environment).executable;
  return runChild([python, "-P", "-m", "e2e.nuwa", "trace", ...args], {
    cwd: environment.INIT_CWD ?? process.cwd(), // where npm was called: paths are meant from there
    environment: { ...environment, PYTHONPATH: ROOT, PYTHONUTF8: "1" },
    signal,
  });
}
