import { npmPackages } from "./npm-packages.mjs";
import { ROOT, SETUP } from "./paths.mjs";
import { runChild } from "./run-child.mjs";
import { runSteps } from "./steps.mjs";

/**
 * `npm run e2e` and `npm run bench`: gets the npm packages, without which nothing of e2e/ runs, and passes everything on.
 *
 * @param {readonly string[]} args the program, a TypeScript file, and its arguments
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function experiment(args, environment, signal) {
  const steps = [npmPackages(ROOT, environment)];
  await runSteps(steps, { root: ROOT, setupFolder: SETUP, signal, output: process.stderr });
  return runChild([process.execPath, "--import", "tsx", ...args], { cwd: ROOT, environment, signal });
}
