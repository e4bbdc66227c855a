import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../problem.mjs";
import { keepBytecodeIn } from "./bytecode.ts";
import { runChecks } from "./check.ts";
import { runCommand } from "./children.ts";
import { isContinuousIntegration } from "./continuous-integration.ts";
import { BUILD, ROOT } from "./paths.ts";
import { clusterPackagesOfTraining, trainingEnvironment } from "./python-environments.ts";
import { isDone, runSteps } from "./steps.ts";
import { addCounts, closingLine, NO_TESTS } from "./testing/counts.ts";
import { NO_MISHAPS } from "./testing/mishaps.ts";
import { inOnePiece, REPORTS } from "./testing/pieces.ts";
import { browserStage, type Chosen, isUsed, packagesStage, setUpStage } from "./testing/preparation.ts";
import { selectFiles, testFiles } from "./testing/selection.ts";
import { runStage, type Stage, type StageResult, summary } from "./testing/stage.ts";
import { commandOf, countsIn, mishapsIn, SUITES } from "./testing/suites.ts";

const USAGE = `Sets up what the tests need and runs them.

  npm test                     everything, with the checks
  npm test -- cc player        the tests of folders
  npm test -- e2e fault        of these, the ones with a word in their path
`;

const BYTECODE = join(BUILD, "bytecode");
const WITHOUT_TRAINING =
  "since training is not set up: npm test -- training sets it up, and so does CI=true npm test";

/** `npm test`: runs every stage, also after one has failed. */
export async function test(words: readonly string[], signal: AbortSignal): Promise<number> {
  if (words.some((word) => ["--help", "-h"].includes(word))) {
    process.stdout.write(USAGE);
    return 0;
  }
  const option = words.find((word) => word.startsWith("-"));
  if (option !== undefined)
    throw new Problem(`unknown option ${option}: npm test takes folders and words of paths`);
  const chosen = divide(selectFiles(words, testFiles()));
  keepBytecodeIn(BYTECODE);
  rmSync(join(BYTECODE, tmpdir()), { recursive: true, force: true }); // of copies of the clone that tests made
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  const results: StageResult[] = [];
  const run = async (stage: Stage) => {
    const result = await runStage(stage);
    results.push(result);
    return result.outcome === "passed";
  };
  // The set-up begins a moment later: the names of what runs beside it come before its own lines.
  const setUp = Promise.resolve().then(() => run(setUpStage(chosen, signal)));
  const browser = isUsed("browser", chosen) ? run(browserStage(signal)) : Promise.resolve();
  const ready = Promise.all([setUp, browser]);
  const packages = ready.then(async () => {
    const stage = packagesStage(chosen, signal);
    if (stage !== null) await run(stage);
  });
  packages.catch(() => undefined); // whoever awaits them tells
  const checks = words.length === 0 ? run(checksStage(signal, packages)) : packages;
  await Promise.all([checks, ready.then(() => runSuites(chosen, { run, signal, packages, checks }))]);
  return conclude(results);
}

/** Which files each suite runs; suites without any are left out. */
function divide(files: readonly string[]): Chosen[] {
  const suiteOf = (path: string) => SUITES.find(({ has }) => has.test(path));
  return SUITES.map((suite) => ({ suite, files: files.filter((path) => suiteOf(path) === suite) })).filter(
    (chosen) => chosen.files.length > 0,
  );
}

/** Training's packages are large: who has not trained, and does not ask for its tests alone, need not have them. */
function isTraining(chosen: readonly Chosen[]): boolean {
  const isAlone = chosen.every(({ suite }) => suite.runner === "training");
  return isAlone || isContinuousIntegration(process.env) || isDone(trainingEnvironment);
}

interface SuitesRun {
  readonly run: (stage: Stage) => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Resolves when what tests in Python need is installed, or cannot be. */
  readonly packages: Promise<unknown>;
  /** Resolves when the checks are over, which take a processor until then, and the packages are there. */
  readonly checks: Promise<unknown>;
}

/**
 * Suites that may run in the background do so beside those that mostly wait, once the checks are over; without one of these
 * they run before the rest.
 */
async function runSuites(
  chosen: readonly Chosen[],
  { run, signal, packages, checks }: SuitesRun,
): Promise<void> {
  const background = chosen.filter(({ suite }) => suite.isBackground);
  const foreground = chosen.filter(({ suite }) => !suite.isBackground);
  const waiting = foreground.filter(({ suite }) => suite.mostlyWaits);
  const training = beginTraining(chosen, { signal, packages });
  const inOrder = async (some: readonly Chosen[], isBackground: boolean) => {
    for (const each of some) {
      if (each.suite.runner !== "browser") await packages;
      await run(suiteStage(each, { signal, isBackground, training }));
    }
  };
  await Promise.all([checks.then(() => inOrder(background, waiting.length > 0)), inOrder(waiting, false)]);
  await inOrder(
    foreground.filter((each) => !waiting.includes(each)),
    false,
  );
}

/**
 * Has training's packages installed while other tests compute: half a minute of network and disk, for which only its own tests
 * wait.
 *
 * @returns resolves to what was said meanwhile; null where training is left out
 */
function beginTraining(
  chosen: readonly Chosen[],
  { signal, packages }: Pick<SuitesRun, "signal" | "packages">,
): Promise<string> | null {
  if (!chosen.some(({ suite }) => suite.runner === "training") || !isTraining(chosen)) return null;
  let said = "";
  const output = {
    write: (text: string) => {
      said += text;
    },
  };
  const steps = [trainingEnvironment, clusterPackagesOfTraining];
  const installed = packages
    .then(() => runSteps(steps, { signal, output, isBackground: true })) // one set-up goes on at a time
    .then(() => said);
  installed.catch(() => undefined); // the stage that awaits it tells
  return installed;
}

interface SuiteRun {
  readonly signal: AbortSignal;
  readonly isBackground: boolean;
  readonly training: Promise<string> | null;
}

function suiteStage({ suite, files }: Chosen, { signal, isBackground, training }: SuiteRun): Stage {
  const name = suite.title.replaceAll(" ", "-");
  const report = join(REPORTS, `${name}.report`);
  const isLeftOut = suite.runner === "training" && training === null;
  return {
    title: suite.title,
    whyLeftOut: isLeftOut ? WITHOUT_TRAINING : undefined,
    run: async () => {
      if (suite.runner === "training") process.stdout.write((await training) ?? "");
      const command = commandOf(suite, files, report);
      const how = { cwd: ROOT, signal };
      return isBackground
        ? inOnePiece(name, (logFile) => runCommand(command, { ...how, isBackground, logFile }))
        : runCommand(command, how);
    },
    counts: () => (existsSync(report) ? countsIn(readFileSync(report, "utf8"), suite) : NO_TESTS),
    mishaps: () => (existsSync(report) ? mishapsIn(readFileSync(report, "utf8"), suite) : NO_MISHAPS),
  };
}

/** Form, style and types: mostly one processor's work. It begins beside the set-up, at the lowest priority. */
function checksStage(signal: AbortSignal, packages: Promise<unknown>): Stage {
  const how = { isBackground: true, packages };
  return {
    title: "checks",
    run: () => inOnePiece("checks", (logFile) => runChecks(signal, { ...how, logFile })),
  };
}

function conclude(results: readonly StageResult[]): number {
  let total = results.reduce((sum, { counts }) => addCounts(sum, counts), NO_TESTS);
  process.stdout.write(summary(results));
  if (total.skipped > 0 && isContinuousIntegration(process.env)) {
    process.stdout.write(
      `\n${total.skipped} tests were skipped; with CI=${process.env.CI} each counts as failed\n`,
    );
    total = { passed: total.passed, failed: total.failed + total.skipped, skipped: 0 };
  }
  process.stdout.write(`${closingLine(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}
