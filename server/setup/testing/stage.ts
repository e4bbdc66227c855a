import { addCounts, NO_TESTS, type TestCounts } from "./counts.ts";
import { type Mishaps, NO_MISHAPS } from "./mishaps.ts";

/** A part of `npm test`. */
export interface Stage {
  readonly title: string;
  /** Why it is not run at all, as a sentence goes on after "left out"; unset where it is run. */
  readonly whyLeftOut?: string | undefined;
  /** Resolves to the exit code. */
  readonly run: () => Promise<number>;
  /** Of the tests that it ran; throws if it left no report. */
  readonly counts?: () => TestCounts;
  readonly mishaps?: () => Mishaps;
}

export interface StageResult {
  readonly title: string;
  readonly outcome: "passed" | "failed" | "left out";
  readonly counts: TestCounts;
  readonly mishaps: Mishaps;
  readonly seconds: number;
}

/** Runs a stage between two lines that name it. */
export async function runStage({ title, whyLeftOut, run, counts, mishaps }: Stage): Promise<StageResult> {
  if (whyLeftOut !== undefined) {
    process.stdout.write(`\n== ${title}: left out, ${whyLeftOut}\n`);
    return { title, outcome: "left out", counts: NO_TESTS, mishaps: NO_MISHAPS, seconds: 0 };
  }
  process.stdout.write(`\n== ${title}\n`);
  const startedAtMs = performance.now();
  const exitCode = await run();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const outcome = exitCode === 0 ? "passed" : "failed";
  process.stdout.write(`== ${title}: ${outcome} in ${seconds.toFixed(1)} s\n`);
  const counted = counts?.() ?? NO_TESTS;
  // A stage can fail without a failing test: a check, or a file that could not be loaded.
  const isUncounted = outcome === "failed" && counted.failed === 0;
  return {
    title,
    outcome,
    counts: isUncounted ? addCounts(counted, { ...NO_TESTS, failed: 1 }) : counted,
    mishaps: mishaps?.() ?? NO_MISHAPS,
    seconds,
  };
}

/** What `npm test` says at its end: how long each stage took, which failed, and which tests of theirs. */
export function summary(results: readonly StageResult[]): string {
  const width = Math.max(...results.map(({ title }) => title.length));
  const rows = results.map(
    ({ title, seconds, outcome }) =>
      `${title.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${outcome}\n`,
  );
  const failed = results.filter(({ outcome }) => outcome === "failed").map(({ title }) => title);
  const tests = (title: string, of: (mishaps: Mishaps) => readonly string[]) =>
    results.flatMap(({ mishaps }) => of(mishaps).map((line) => `${title}: ${line}\n`)).join("");
  return [
    `\n${rows.join("")}`,
    tests("passed at the second attempt", ({ passedAgain }) => passedAgain),
    tests("failed test", (mishaps) => mishaps.failed),
    failed.length === 0 ? "" : `failed: ${failed.join(", ")}\n`,
  ].join("");
}
