import { existsSync } from "node:fs";
import { findPython } from "./find-python.mjs";
import { npmPackages } from "./npm-packages.mjs";
import { ROOT, SETUP, VENV_PYTHON } from "./paths.mjs";
import { runChild } from "./run-child.mjs";
import { runSteps } from "./steps.mjs";

/**
 * `npm run trace`: passes everything on to transport/. Python alone is needed for it, and the npm packages for pictures.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function trace(args, environment, signal) {
  if (args[0] === "plot" && !args.some((argument) => argument === "--help" || argument === "-h")) {
    await runSteps([npmPackages(ROOT, environment)], {
      root: ROOT,
      setupFolder: SETUP,
      signal,
      output: process.stdout,
    });
  }
  const python = existsSync(VENV_PYTHON) ? VENV_PYTHON : findPython(environment).executable;
  return runChild([python, "-P", "-m", "e2e.nuwa", "trace", ...args], {
    cwd: environment.INIT_CWD ?? process.cwd(), // where npm was called: paths are meant from there
    environment: { ...environment, PYTHONPATH: ROOT, PYTHONUTF8: "1", NUWA_NODE: process.execPath },
    signal,
  });
}
