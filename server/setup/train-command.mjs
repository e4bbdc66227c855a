import { ROOT, SETUP, TRAINING_PYTHON } from "./paths.mjs";
import { runChild } from "./run-child.mjs";
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
  return runChild([TRAINING_PYTHON, "-m", "e2e.nuwa", "train", ...args], {
    cwd: ROOT,
    environment: { ...environment, PYTHONUTF8: "1" },
    signal,
  });
}
