import { appendFileSync } from "node:fs";
import { Problem } from "../../problem.mjs";
import { runCommand } from "../children.ts";
import { typedocPackages } from "../docs.ts";
import { ROOT } from "../paths.ts";
import { playerBuild } from "../player-build.ts";
import { pythonEnvironment, testPackages } from "../python-environments.ts";
import { isDone, runSteps, type Step } from "../steps.ts";
import { inOnePiece } from "./pieces.ts";
import type { Stage } from "./stage.ts";
import type { Suite } from "./suites.ts";

/** A suite, and the files that it is to run. */
export interface Chosen {
  readonly suite: Suite;
  readonly files: readonly string[];
}

const DOCS_TEST = "server/setup/docs.test.ts";

export function isUsed(runner: Suite["runner"], chosen: readonly Chosen[]): boolean {
  return chosen.some(({ suite }) => suite.runner === runner);
}

/** What is set up: in this order, those of a list side by side. */
export interface Preparation {
  readonly first: readonly (readonly Step[])[];
  /** What only some tests need, while others run. */
  readonly later: readonly Step[];
}

/** Tests of browsers do without the packages of tests, most of a minute of one processor, and begin before. */
export function preparationOf(chosen: readonly Chosen[]): Preparation {
  const [hasBrowser, hasPython] = [isUsed("browser", chosen), isUsed("pytest", chosen)];
  const documents = chosen.some(({ files }) => files.includes(DOCS_TEST));
  return {
    first: [
      [pythonEnvironment, ...(hasBrowser ? [playerBuild] : [])],
      ...(hasPython && !hasBrowser ? [[testPackages]] : []),
    ],
    later: [...(hasPython && hasBrowser ? [testPackages] : []), ...(documents ? [typedocPackages] : [])],
  };
}

export function setUpStage(chosen: readonly Chosen[], signal: AbortSignal): Stage {
  return {
    title: "set-up",
    run: async () => {
      await runSteps(preparationOf(chosen).first, { signal, output: process.stdout });
      return 0;
    },
  };
}

/** A program, not a function: e2e/ stands on server/, not the other way round. */
export function browserStage(signal: AbortSignal): Stage {
  const command = [process.execPath, "--import", "tsx", "e2e/browser/setup/prepare.ts"] as const;
  return {
    title: "browser and mahimahi",
    run: () =>
      inOnePiece("browser-and-mahimahi", (logFile) => runCommand(command, { cwd: ROOT, signal, logFile })),
  };
}

/**
 * At the lowest priority.
 *
 * @returns null where all is there
 */
export function packagesStage(chosen: readonly Chosen[], signal: AbortSignal): Stage | null {
  const missing = preparationOf(chosen).later.filter((step) => !isDone(step));
  if (missing.length === 0) return null;
  const install = async (logFile: string) => {
    let exitCode = 0;
    for (const step of missing) exitCode ||= await installed(step, { signal, logFile });
    return exitCode;
  };
  return { title: "packages of tests", run: () => inOnePiece("packages", install) };
}

/** Where a step's packages cannot be had, tests that do without run none the less. */
async function installed(
  step: Step,
  { signal, logFile }: { readonly signal: AbortSignal; readonly logFile: string },
): Promise<number> {
  const write = (text: string) => appendFileSync(logFile, text);
  try {
    await runSteps([step], { signal, output: { write }, isBackground: true });
    return 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error; // an abort
    write(`${[error.detail, error.message].filter((text) => text !== "").join("\n")}\n`);
    return error.exitCode;
  }
}
