import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../problem.mjs";
import { type Command, runCommand } from "./children.ts";
import { ROOT, VENV_PYTHON } from "./paths.ts";
import { pythonEnvironment, testPackages } from "./python-environments.ts";
import { runSteps } from "./steps.ts";

interface Check {
  readonly title: string;
  readonly command: Command;
  /** Corrects what the tool can correct. */
  readonly fix?: Command;
}

const PYTHON_FOLDERS = ["cc", "transport", "models", "e2e"];
const BIOME = npmProgram("@biomejs/biome/bin/biome", "check");
const LINT_IMPORTS =
  "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-logo', '--no-cache'])";
const RUFF = [VENV_PYTHON, "-m", "ruff"] as const;

const CHECKS: readonly Check[] = [
  { title: "biome", command: BIOME, fix: [...BIOME, "--write"] },
  { title: "tsc", command: npmProgram("typescript/bin/tsc", "--noEmit") },
  {
    title: "ruff",
    command: [...RUFF, "check", "--quiet", ...PYTHON_FOLDERS],
    fix: [...RUFF, "check", "--quiet", "--fix", ...PYTHON_FOLDERS],
  },
  {
    title: "ruff format",
    command: [...RUFF, "format", "--quiet", "--check", ...PYTHON_FOLDERS],
    fix: [...RUFF, "format", "--quiet", ...PYTHON_FOLDERS],
  },
  { title: "mypy", command: [VENV_PYTHON, "-m", "mypy", "--strict", ...PYTHON_FOLDERS] },
  { title: "import-linter", command: [VENV_PYTHON, "-c", LINT_IMPORTS] },
];

/** `npm run check`: form, style and types of everything; with `--fix` (`npm run format`) corrects what a tool can. */
export async function check(args: readonly string[], signal: AbortSignal): Promise<number> {
  const unknown = args.find((argument) => argument !== "--fix");
  if (unknown !== undefined) throw new Problem(`unknown argument "${unknown}": the only option is --fix`);
  await runSteps([pythonEnvironment, testPackages], { signal, output: process.stdout });
  return runChecks(signal, { isFixing: args.includes("--fix") });
}

interface HowToCheck {
  readonly isFixing?: boolean;
  /** Whether to take only what others leave of the processor. */
  readonly isBackground?: boolean;
  /** Takes what the checks say, if it is not to go to this process's output. */
  readonly logFile?: string;
  /** Resolves when Python's packages are there, for which the checks in Python wait. */
  readonly packages?: Promise<unknown>;
}

/**
 * Runs all checks, so that one run shows everything there is to correct.
 *
 * @returns 0 if all passed
 */
export async function runChecks(
  signal: AbortSignal,
  { isFixing = false, packages, ...how }: HowToCheck = {},
): Promise<number> {
  const { logFile } = how;
  const say = (line: string) =>
    logFile === undefined ? process.stdout.write(`${line}\n`) : appendFileSync(logFile, `${line}\n`);
  const failed: string[] = [];
  for (const { title, command, fix } of CHECKS) {
    const chosen = isFixing ? fix : command;
    if (chosen === undefined) continue;
    if (chosen[0] === VENV_PYTHON) await packages;
    say(`- ${title}`);
    if ((await runCommand(chosen, { cwd: ROOT, signal, ...how })) !== 0) failed.push(title);
  }
  if (failed.length > 0) process.stderr.write(`nuwa-stream: these checks failed: ${failed.join(", ")}\n`);
  return failed.length === 0 ? 0 : 1;
}

function npmProgram(path: string, ...args: readonly string[]): Command {
  return [process.execPath, join(ROOT, "node_modules", path), ...args];
}
