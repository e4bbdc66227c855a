import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../problem.mjs";
import { findPython } from "./find-python.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { ROOT, TRAINING_PYTHON, TRAINING_VENV, VENV, VENV_PYTHON } from "./paths.ts";
import { installWithPip } from "./pip.ts";
import type { RunInStep, Step } from "./steps.ts";
import { isUsable } from "./virtual-environment.ts";

const ON_TOP = {
  laboratory: "the laboratory",
  test: "tests",
  cluster: "clusters (some minutes: Ray is large)",
  site: "the documentation site",
};

/** The virtual environment with the packages that serving and simulating need. */
export const pythonEnvironment: Step = environment("python-environment", {
  title: "installing Python packages",
  folder: VENV,
  lock: "requirements.lock",
});

/** What the laboratory (statistics, charts, reports) needs on top. */
export const laboratoryPackages: Step = packagesOnTop("laboratory", VENV);

/** What tests and checks need on top; the laboratory's packages are among it. */
export const testPackages: Step = packagesOnTop("test", VENV);

/** What the documentation site needs on top; the laboratory's packages are among it, since the API has its modules. */
export const sitePackages: Step = packagesOnTop("site", VENV);

/** What training needs, in a virtual environment of its own: nobody who only watches a film waits for torch. */
export const trainingEnvironment: Step = environment("training-environment", {
  title: "installing Python packages for training (some minutes: torch is large)",
  folder: TRAINING_VENV,
  lock: "requirements-train.lock",
  torch: () => torchPin(readFileSync(inRoot("pyproject.toml"), "utf8")),
});

/** What Ray needs, on top of the environment that a command has: both have the versions of one lock. */
const clusterPackages: Step = packagesOnTop("cluster", VENV);
export const clusterPackagesOfTraining: Step = packagesOnTop("cluster", TRAINING_VENV);

/** How a virtual environment is used: what makes it, and its interpreter. */
export interface PythonEnvironment {
  readonly steps: readonly Step[];
  readonly python: string;
}

/** The environments that a command of `nuwa` may need, by the names that e2e/nuwa gives them. */
export const ENVIRONMENTS: Readonly<Record<string, PythonEnvironment>> = {
  base: { steps: [pythonEnvironment], python: VENV_PYTHON },
  laboratory: { steps: [pythonEnvironment, laboratoryPackages], python: VENV_PYTHON },
  train: { steps: [trainingEnvironment], python: TRAINING_PYTHON },
  "laboratory, cluster": {
    steps: [pythonEnvironment, laboratoryPackages, clusterPackages],
    python: VENV_PYTHON,
  },
  "train, cluster": { steps: [trainingEnvironment, clusterPackagesOfTraining], python: TRAINING_PYTHON },
  test: { steps: [pythonEnvironment, testPackages], python: VENV_PYTHON },
};

interface EnvironmentOptions {
  readonly title: string;
  readonly folder: string;
  readonly lock: string;
  /** The requirement of torch, which is in no lock. */
  readonly torch?: () => string;
}

function environment(name: string, { title, folder, lock, torch }: EnvironmentOptions): Step {
  return {
    name,
    title,
    folder,
    fingerprint: () => fingerprint({ root: ROOT, files: [inRoot(lock)], words: [torch?.() ?? ""] }),
    isPresent: () => isUsable(folder),
    run: async (run) => {
      await run([findPython(), "-m", "venv", "--clear", folder], `remove ${folder} and try again`);
      await installLocked(folder === VENV ? VENV_PYTHON : TRAINING_PYTHON, lock, run);
      if (torch !== undefined) await installTorch(torch(), run);
    },
  };
}

function packagesOnTop(name: keyof typeof ON_TOP, folder: string): Step {
  const lock = `requirements-${name}.lock`;
  const marker = join(folder, `.has-${name}-packages`); // gone when the environment was made again
  const [environment, python] =
    folder === VENV ? [pythonEnvironment, VENV_PYTHON] : [trainingEnvironment, TRAINING_PYTHON];
  return {
    name: folder === VENV ? `python-${name}-packages` : `training-${name}-packages`,
    title: `installing Python packages for ${ON_TOP[name]}`,
    fingerprint: () => fingerprint({ root: ROOT, files: [inRoot(lock)], words: [environment.fingerprint()] }),
    isPresent: () => existsSync(marker),
    run: async (run) => {
      await installLocked(python, lock, run);
      writeFileSync(marker, "");
    },
  };
}

/** A lock lists the whole environment, so nothing is resolved; a file whose hash it does not list is refused. Python compiles what it imports. */
function installLocked(python: string, lock: string, run: RunInStep): Promise<void> {
  const locked = ["--no-compile", "--no-deps", "--require-hashes", "--requirement", inRoot(lock)];
  return installWithPip(python, locked, run);
}

/**
 * On Linux torch's usual wheel brings gigabytes for graphics cards. Some package indices have it without, each a
 * build of its own with a hash of its own; where none does, the usual one takes its place.
 */
async function installTorch(pin: string, run: RunInStep): Promise<void> {
  if (process.platform === "linux") {
    try {
      return await installWithPip(TRAINING_PYTHON, ["--no-deps", `${pin}+cpu`], run);
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // an abort
    }
  }
  await installWithPip(TRAINING_PYTHON, [pin], run);
}

/** @throws Problem if torch is not pinned */
export function torchPin(pyproject: string): string {
  const pin = /"(torch==[\d.]+)"/.exec(pyproject)?.[1];
  if (pin !== undefined) return pin;
  throw new Problem("pyproject.toml does not pin torch: write torch==VERSION", { exitCode: 1 });
}

function inRoot(name: string): string {
  return join(ROOT, name);
}
