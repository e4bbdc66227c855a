import { spawn } from "node:child_process";
import { ROOT, SETUP, TRAINING_PYTHON } from "./paths.mjs";
import { runSteps } from "./steps.mjs";
import { trainingEnvironment } from "./training-environment.mjs";

/**
 * `npm run train`: sets up what training needs and passes everything on to models/.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function train(args, environment, signal) {
  const steps = [trainingEnvironment(ROOT, environment)];
  await runSteps(steps, { root: ROOT, setupFolder: SETUP, signal, output: process.stdout });
  return new Promise((resolve, reject) => {
    const child = spawn(TRAINING_PYTHON, ["-m", "models.training", ...args], {
      cwd: ROOT,
      env: { ...environment, PYTHONUTF8: "1" },
      stdio: "inherit",
      signal,
    });
    child.once("error", (error) => reject(signal.aborted ? signal.reason : error));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
