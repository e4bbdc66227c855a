import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { findPython } from "./find-python.mjs";
import { npmPackages } from "./npm-packages.mjs";
import { ROOT, SETUP, VENV_PYTHON } from "./paths.mjs";
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
  return runTool([python, "-P", "-m", "transport.trace_tool", ...args], environment, signal);
}

/**
 * In the folder in which npm was called, since paths are meant from there.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>}
 */
function runTool([program, ...args], environment, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: environment.INIT_CWD ?? process.cwd(),
      env: { ...environment, PYTHONPATH: ROOT, PYTHONUTF8: "1", NUWA_NODE: process.execPath },
      stdio: "inherit",
      signal,
    });
    child.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
