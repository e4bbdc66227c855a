import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "./find-python.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { TRAINING_PYTHON, TRAINING_VENV } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { INDEX_ADVICE } from "./python-environment.mjs";

const LOCKS = ["requirements.lock", "requirements-test.lock", "requirements-train.lock"];

/**
 * A virtual environment of its own for training: nobody who only watches a film waits for torch.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @returns {import("./steps.mjs").Step}
 */
export function trainingEnvironment(root, environment) {
  const locks = LOCKS.map((name) => join(root, name));
  return {
    name: "training-environment",
    title: "installing Python packages for training (some minutes: torch is large)",
    fingerprint: () => fingerprint({ root, files: locks, words: [environment.NUWA_PYTHON ?? ""] }),
    isPresent: () => existsSync(TRAINING_PYTHON),
    folder: TRAINING_VENV,
    run: async (run) => {
      const python = findPython(environment);
      await run([python.executable, "-m", "venv", "--clear", TRAINING_VENV], `remove ${TRAINING_VENV}`);
      if (process.platform === "linux") await preferCpuBuild(run, join(root, "requirements-train.lock"));
      await run(pipInstall(...locks.flatMap((lock) => ["--requirement", lock])), INDEX_ADVICE);
    },
  };
}

/**
 * On Linux torch's usual wheel brings gigabytes for graphics cards. Some package indices have it without; where none does,
 * the lock file's takes its place.
 *
 * @param {import("./steps.mjs").RunInStep} run
 * @param {string} lock
 */
async function preferCpuBuild(run, lock) {
  try {
    await run(pipInstall(cpuBuildOf(readFileSync(lock, "utf8"))), INDEX_ADVICE);
  } catch (error) {
    if (!(error instanceof Problem)) throw error; // an abort
  }
}

/**
 * @param {string} lock
 * @returns {string} torch's pin with the local version that names the build (PEP 440)
 * @throws {Problem} if torch is not pinned
 */
export function cpuBuildOf(lock) {
  const pin = /^torch==[\d.]+$/m.exec(lock);
  if (pin === null)
    throw new Problem("requirements-train.lock does not pin torch: renew it", { exitCode: 1 });
  return `${pin[0]}+cpu`;
}

/**
 * @param {string[]} what
 * @returns {[string, ...string[]]}
 */
function pipInstall(...what) {
  return [TRAINING_PYTHON, "-m", "pip", "install", "--disable-pip-version-check", ...what];
}
