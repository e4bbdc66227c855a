import { join } from "node:path";
import { npmPackages } from "./npm-packages.mjs";
import { ROOT, SETUP, VENV_PYTHON } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { pythonEnvironment, pythonTestPackages } from "./python-environment.mjs";
import { runCommand } from "./run-command.mjs";
import { runSteps } from "./steps.mjs";

/** @typedef {{title: string, command: readonly [string, ...string[]]}} Check */

const PYTHON_FOLDERS = ["cc", "transport", "models", "e2e"];

/**
 * `npm run check`: form, style and types of everything; with `--fix` (`npm run format`) mends what a tool can mend.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function check(args, environment, signal) {
  const unknown = args.find((argument) => argument !== "--fix");
  if (unknown !== undefined) throw new Problem(`unknown argument "${unknown}": the only option is --fix`);
  await runSteps(
    [
      npmPackages(ROOT, environment),
      pythonEnvironment(ROOT, environment),
      pythonTestPackages(ROOT, environment),
    ],
    { root: ROOT, setupFolder: SETUP, signal, output: process.stdout },
  );
  return args.includes("--fix") ? runChecks(FIXES, signal) : runChecks(CHECKS, signal);
}

/** @type {readonly Check[]} */
export const CHECKS = [
  { title: "biome", command: [process.execPath, npmBinary("@biomejs/biome", "bin/biome"), "check"] },
  { title: "tsc", command: [process.execPath, npmBinary("typescript", "bin/tsc"), "--noEmit"] },
  { title: "ruff", command: [VENV_PYTHON, "-m", "ruff", "check", "--quiet", ...PYTHON_FOLDERS] },
  {
    title: "ruff format",
    command: [VENV_PYTHON, "-m", "ruff", "format", "--check", "--quiet", ...PYTHON_FOLDERS],
  },
  { title: "mypy", command: [VENV_PYTHON, "-m", "mypy", "--strict", ...PYTHON_FOLDERS] },
];

/** @type {readonly Check[]} */
const FIXES = [
  {
    title: "biome",
    command: [process.execPath, npmBinary("@biomejs/biome", "bin/biome"), "check", "--write"],
  },
  { title: "ruff", command: [VENV_PYTHON, "-m", "ruff", "check", "--fix", "--quiet", ...PYTHON_FOLDERS] },
  { title: "ruff format", command: [VENV_PYTHON, "-m", "ruff", "format", "--quiet", ...PYTHON_FOLDERS] },
];

/**
 * Runs all checks, so that one run shows everything there is to mend.
 *
 * @param {readonly Check[]} checks
 * @param {AbortSignal} signal
 * @returns {Promise<number>} 0 if all passed
 */
export async function runChecks(checks, signal) {
  /** @type {string[]} */
  const failed = [];
  for (const { title, command } of checks) {
    process.stdout.write(`- ${title}\n`);
    if ((await runCommand(command, { cwd: ROOT, signal })) !== 0) failed.push(title);
  }
  if (failed.length > 0) process.stderr.write(`nuwa-stream: these checks failed: ${failed.join(", ")}\n`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * @param {string} packageName
 * @param {string} path
 */
function npmBinary(packageName, path) {
  return join(ROOT, "node_modules", packageName, path);
}
