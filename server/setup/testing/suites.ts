import { join } from "node:path";
import type { Command } from "../children.ts";
import { ROOT, TRAINING_PYTHON, VENV_PYTHON } from "../paths.ts";
import { countsOfPytest, countsOfVitest, type TestCounts } from "./counts.ts";
import { type Mishaps, mishapsInPytest, mishapsInVitest } from "./mishaps.ts";

/** Tests that one runner runs in one go. */
export interface Suite {
  readonly title: string;
  /** Of a test file's path, relative to the clone. A file belongs to the first suite that has it. */
  readonly has: RegExp;
  readonly runner: "pytest" | "training" | "vitest" | "browser";
  /** Test files that run at the same time. */
  readonly workers: number;
  /** Whether it may run, at the lowest priority, beside tests that mostly wait. */
  readonly isBackground?: boolean;
  /** Whether it mostly waits and measures no link: background suites may run beside it. */
  readonly mostlyWaits?: boolean;
  /** Whether its Python tests go by real time, which a shared machine does not keep: what fails is run once more, and told. */
  readonly isTimed?: boolean;
}

const CORES = 2; // what the shared machines have that run all this; more gain little

/**
 * In the order in which they run. What computes runs in the background, at the lowest priority, while others wait for a film
 * to go on or for a peer to answer; whatever measures a link runs alone.
 */
export const SUITES: readonly Suite[] = [
  {
    title: "Python link tests",
    has: /^e2e\/laboratory\/places\/tests\/test_relay\.py$/,
    runner: "pytest",
    workers: 1,
    isTimed: true,
  },
  {
    title: "Python tests", // of what computes: none waits for a peer
    has: /^(?:cc|models(?!\/training|\/executors\/tests\/test_ray_)|e2e(?!\/(?:abuse|fuzzing|protection_cost|laboratory\/(?:places|streams|tests))\/))\/.*\.py$/,
    runner: "pytest",
    workers: CORES,
    isBackground: true,
  },
  {
    title: "TypeScript tests",
    has: /^(?!e2e\/browser\/).*\.ts$/,
    runner: "vitest",
    workers: CORES,
    isBackground: true,
  },
  {
    title: "training tests", // and those of a cluster, whose packages are installed there
    has: /^models\/(?:training\/|executors\/tests\/test_ray_).*\.py$/,
    runner: "training",
    workers: CORES,
    isBackground: true,
  },
  {
    title: "faults, pages and the library", // and what they are made of
    has: /^e2e\/browser\/(?:scenarios\/(?:faults|page-|past-|library-|players-|loopback-(?:film|seek))|(?!scenarios\/|link\/)).*\.ts$/,
    runner: "browser",
    workers: CORES,
    mostlyWaits: true,
  },
  {
    title: "Python tests with sockets", // and with children of their own
    has: /\.py$/,
    runner: "pytest",
    workers: CORES,
    mostlyWaits: true,
    isTimed: true,
  },
  {
    title: "films over links", // of rates that two films beside each other leave room for
    has: /^e2e\/browser\/scenarios\/(?:link-film|link-seek|side-by-side|plain-|loopback-real).*\.ts$/,
    runner: "browser",
    workers: CORES,
  },
  { title: "link tests", has: /\.ts$/, runner: "browser", workers: 1 },
];

const VITEST = join(ROOT, "node_modules", "vitest", "vitest.mjs");

/** The command that runs a suite's files and leaves a report. */
export function commandOf(
  { runner, workers, isTimed }: Suite,
  files: readonly string[],
  report: string,
): Command {
  if (runner === "pytest" || runner === "training") {
    const python = runner === "training" ? TRAINING_PYTHON : VENV_PYTHON;
    // A worker begins with its share of the files, whose fixtures it makes once, and takes from the others' what is left in the end.
    const distribution = runner === "pytest" ? ["--dist", "worksteal"] : [];
    const parallel = workers > 1 ? ["-n", `${workers}`, ...distribution] : [];
    const again = isTimed === true ? ["--reruns", "1"] : [];
    return [python, "-m", "pytest", ...parallel, ...again, `--junitxml=${report}`, ...files];
  }
  const config = runner === "browser" ? ["--config", "e2e/browser/vitest.config.ts"] : [];
  const parallel = workers > 1 ? ["--fileParallelism", `--maxWorkers=${workers}`] : ["--no-file-parallelism"];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return [process.execPath, VITEST, "run", ...config, ...parallel, ...reporters, ...files];
}

export function countsIn(report: string, suite: Suite): TestCounts {
  return isPytest(suite) ? countsOfPytest(report) : countsOfVitest(report);
}

export function mishapsIn(report: string, suite: Suite): Mishaps {
  return isPytest(suite) ? mishapsInPytest(report) : mishapsInVitest(report, ROOT);
}

function isPytest({ runner }: Suite): boolean {
  return runner === "pytest" || runner === "training";
}
