import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CHECKS, runChecks } from "./check-command.mjs";
import { npmPackages } from "./npm-packages.mjs";
import { BUILD, PLAYER, ROOT, SETUP, TRAINING_PYTHON, VENV_PYTHON } from "./paths.mjs";
import { playerBuild } from "./player-build.mjs";
import { Problem } from "./problem.mjs";
import { pythonEnvironment, pythonTestPackages } from "./python-environment.mjs";
import { runCommand } from "./run-command.mjs";
import { isDone, runSteps } from "./steps.mjs";
import { addCounts, closingLine, countsOfPytest, countsOfVitest, NO_TESTS } from "./test-counts.mjs";
import { trainingEnvironment } from "./training-environment.mjs";

/** @typedef {import("./test-counts.mjs").TestCounts} TestCounts */

/**
 * @typedef {object} Stage
 * @property {string} title
 * @property {() => Promise<number>} run resolves to the exit code
 * @property {() => TestCounts} [counts] of the tests that it ran; throws if it left no report
 */

const REPORTS = join(BUILD, "test");
const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");

/**
 * `npm test`: sets up what the tests need, then runs every stage until one fails.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
export async function test(args, environment, signal) {
  if (args.length > 0)
    throw new Problem(`unexpected argument "${args[0]}": npm test takes none; run one stage by its own tool`);
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  let total = NO_TESTS;
  let failedStage = "";
  for (const stage of stages(environment, signal)) {
    const { exitCode, counts } = await runStage(stage);
    total = addCounts(total, counts);
    if (exitCode === 0) continue;
    failedStage = stage.title;
    break;
  }
  if (failedStage !== "") process.stdout.write(`\nstopped at the stage that failed: ${failedStage}\n`);
  if (total.skipped > 0 && isContinuousIntegration(environment)) {
    process.stdout.write(
      `\n${total.skipped} tests were skipped; with CI=${environment.CI} each counts as failed\n`,
    );
    total = { passed: total.passed, failed: total.failed + total.skipped, skipped: 0 };
  }
  process.stdout.write(`${closingLine(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}

/**
 * @param {Stage} stage
 * @returns {Promise<{exitCode: number, counts: TestCounts}>}
 */
async function runStage({ title, run, counts }) {
  process.stdout.write(`\n== ${title}\n`);
  const startedAtMs = performance.now();
  const exitCode = await run();
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  process.stdout.write(`== ${title}: ${exitCode === 0 ? "passed" : "failed"} in ${seconds} s\n`);
  let counted = counts?.() ?? NO_TESTS;
  // A stage can fail without a failing test: a check, or a file that could not be loaded.
  if (exitCode !== 0 && counted.failed === 0) counted = addCounts(counted, { ...NO_TESTS, failed: 1 });
  return { exitCode, counts: counted };
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Stage[]}
 */
function stages(environment, signal) {
  /** @param {readonly [string, ...string[]]} command */
  const run = (...command) => runCommand(command, { cwd: ROOT, signal });
  const pytestReport = join(REPORTS, "pytest.xml");
  const unitReport = join(REPORTS, "unit.json");
  const browserReport = join(REPORTS, "browser.json");
  /** @param {string} file */
  const vitestReporters = (file) => ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return [
    { title: "set-up", run: () => setUp(environment, signal) },
    {
      title: "browser and mahimahi",
      run: () => run(process.execPath, join(ROOT, "e2e", "browser", "setup", "prepare.mjs")),
    },
    { title: "checks", run: () => runChecks(CHECKS, signal) },
    {
      title: "Python tests",
      run: () => run(VENV_PYTHON, "-m", "pytest", `--junitxml=${pytestReport}`),
      counts: () => readCounts(pytestReport, countsOfPytest),
    },
    trainingStage(environment, signal),
    {
      title: "TypeScript tests",
      run: () => run(process.execPath, VITEST, "run", ...vitestReporters(unitReport)),
      counts: () => readCounts(unitReport, countsOfVitest),
    },
    {
      title: "browser and link tests",
      run: () =>
        run(
          process.execPath,
          VITEST,
          "run",
          "--config",
          "e2e/browser/vitest.config.ts",
          ...vitestReporters(browserReport),
        ),
      counts: () => readCounts(browserReport, countsOfVitest),
    },
  ];
}

/**
 * Training's packages are large: who has not trained need not have them.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 * @returns {Stage}
 */
function trainingStage(environment, signal) {
  const report = join(REPORTS, "training.xml");
  const command = /** @type {const} */ ([
    TRAINING_PYTHON,
    "-m",
    "pytest",
    "models/training/tests",
    `--junitxml=${report}`,
  ]);
  return {
    title: "training tests",
    run: async () => {
      if (isTraining(environment)) return runCommand(command, { cwd: ROOT, signal });
      process.stdout.write("left out, since training is not set up: npm run train -- --help sets it up\n");
      return 0;
    },
    counts: () => readCounts(report, countsOfPytest),
  };
}

/** @param {NodeJS.ProcessEnv} environment */
function isTraining(environment) {
  return (
    isContinuousIntegration(environment) ||
    isDone(trainingEnvironment(ROOT, environment), { setupFolder: SETUP })
  );
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {AbortSignal} signal
 */
async function setUp(environment, signal) {
  const training = isTraining(environment) ? [trainingEnvironment(ROOT, environment)] : [];
  await runSteps(
    [
      npmPackages(ROOT, environment),
      pythonEnvironment(ROOT, environment),
      pythonTestPackages(ROOT, environment),
      ...training,
      playerBuild(ROOT, PLAYER),
    ],
    { root: ROOT, setupFolder: SETUP, signal, output: process.stdout },
  );
  return 0;
}

/**
 * @param {string} file
 * @param {(report: string) => TestCounts} read
 */
function readCounts(file, read) {
  return existsSync(file) ? read(readFileSync(file, "utf8")) : NO_TESTS; // none if the runner could not start
}

/** @param {NodeJS.ProcessEnv} environment */
function isContinuousIntegration({ CI }) {
  return CI !== undefined && !["", "0", "false"].includes(CI.toLowerCase());
}
