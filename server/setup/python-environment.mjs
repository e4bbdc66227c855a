import { existsSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "./find-python.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { VENV, VENV_PYTEST, VENV_PYTHON } from "./paths.mjs";

export const INDEX_ADVICE = "check that the Python package index can be reached and try again";

/**
 * The virtual environment with the packages that running needs.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @returns {import("./steps.mjs").Step}
 */
export function pythonEnvironment(root, environment) {
  const lock = join(root, "requirements.lock");
  return {
    name: "python-environment",
    title: "installing Python packages",
    fingerprint: () => fingerprint({ root, files: [lock], words: [environment.NUWA_PYTHON ?? ""] }),
    isPresent: () => existsSync(VENV_PYTHON),
    folder: VENV,
    run: async (run) => {
      const python = findPython(environment);
      await run([python.executable, "-m", "venv", "--clear", VENV], "remove .venv and try again");
      await run(pipInstall(lock), INDEX_ADVICE);
    },
  };
}

/**
 * What the tests and checks need on top.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 * @returns {import("./steps.mjs").Step}
 */
export function pythonTestPackages(root, environment) {
  const underneath = pythonEnvironment(root, environment);
  const lock = join(root, "requirements-test.lock");
  return {
    name: "python-test-packages",
    title: "installing Python packages for tests",
    fingerprint: () => fingerprint({ root, files: [lock], words: [underneath.fingerprint()] }),
    isPresent: () => existsSync(VENV_PYTEST), // gone when the environment was made again
    run: (run) => run(pipInstall(lock), INDEX_ADVICE),
  };
}

/**
 * @param {string} lock
 * @returns {[string, ...string[]]}
 */
function pipInstall(lock) {
  return [VENV_PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--requirement", lock];
}
