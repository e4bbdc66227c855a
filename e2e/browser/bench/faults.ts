/**
 * What becomes of a film with 8 s in its buffer when something goes wrong. Most of a run is waiting, so that several can be
 * played at once. Each is kept as it ends: a command that was stopped goes on where it was.
 */
import { join } from "node:path";
import { findBrowser } from "../browsers/find-browser.ts";
import { type PlayedFilm, presentationOf } from "../cell/presentation.ts";
import { SMALL_PICTURES } from "../cell/small-pictures.ts";
import { readVersions } from "../cell/versions.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import { brokenExpectations, isTooBusy } from "../fault-rig/expectation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import type { Outcome } from "../fault-rig/outcome.ts";
import { FaultError, type RunOptions, runFault } from "../fault-rig/run-fault.ts";
import { type KeptRun, RunStore } from "../fault-rig/run-store.ts";
import { FAULTS } from "../faults/registry.ts";
import { atOnce } from "../process/at-once.ts";
import { slowdownOf } from "../process/cpu-use.ts";
import type { BenchContext, Figure } from "./benchmark.ts";
import { faultFigures, faultTable, isJudged } from "./fault-figures.ts";

/** What is judged is what arrives and when: decoding large pictures would only keep others from it. */
const FILM: PlayedFilm = { kind: "demo", ladder: SMALL_PICTURES };
const KEPT_RUNS = join(BUILD_DIRECTORY, "e2e", "bench", "faults");

/** Of a run beside which the machine was too busy. */
const MOST_ATTEMPTS = 3;

interface PlannedRun {
  readonly fault: Fault;
  readonly seed: number;
}

export const SUBJECTS = FAULTS.map(({ name }) => name);
export const READS = ["repeats", "seed", "jobs", "any-commit"] as const;

/** Repeat N plays all faults from seed + N - 1, so that any run can be made again by itself. */
export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const { onProgress = () => undefined, signal } = bench.options.control;
  const presentation = await presentationOf(FILM, onProgress);
  const chosen = FAULTS.filter(
    ({ name, needs = process.platform }) => bench.isChosen(name) && needs === process.platform,
  );
  const versions = await readVersions(program.kind);
  const store = new RunStore(KEPT_RUNS, versions, new Date().toISOString());
  const seeds = Array.from({ length: bench.options.repeats }, (_, index) => bench.options.seed + index);
  const wanted = seeds.flatMap((seed) => chosen.map((fault) => ({ fault, seed })));
  const missing = async () => {
    const judged = (await store.runs(bench.options)).filter(isJudged);
    return wanted.filter(
      ({ fault, seed }) => !judged.some((kept) => kept.fault === fault.name && kept.seed === seed),
    );
  };

  const { jobs } = bench.options;
  const play = async ({ fault, seed }: PlannedRun) => {
    const result = await outcomeOf(fault, { program, presentation, seed });
    // What ends the command ends its browsers and servers, too: that run tells nothing of the fault.
    if (signal?.aborted) return;
    const finishedAt = new Date().toISOString();
    const { commit } = versions;
    await store.keep({ fault: fault.name, seed, commit, finishedAt, browser: program.kind, jobs, ...result });
    const { outcome, failure } = result;
    const said = outcome === null ? failure : inWords(outcome, fault);
    onProgress(`${finishedAt.slice(11, 19)} ${fault.name}, seed ${seed}\n  ${said}`);
  };
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const left = await missing();
    if (left.length === 0 || signal?.aborted) break;
    const others = left.length < wanted.length ? `; the others are in ${KEPT_RUNS}` : "";
    onProgress(`${left.length} of ${wanted.length} runs are to be played${others}`);
    await atOnce(jobs, left, play, signal);
  }

  const runs = await store.runs(bench.options);
  bench.tables.push(faultTable(chosen, runs));
  return faultFigures(chosen, runs);
}

/** A run that could not be watched to its end has no outcome, and the others go on. */
async function outcomeOf(fault: Fault, options: RunOptions): Promise<Pick<KeptRun, "outcome" | "failure">> {
  try {
    return { outcome: await runFault(fault, options), failure: null };
  } catch (error) {
    if (error instanceof FaultError) return { outcome: null, failure: error.message };
    throw error;
  }
}

function inWords(outcome: Outcome, { expected }: Fault): string {
  const { lastedSeconds, stalledSeconds, heldUpSeconds, bytesAfterSeconds, endPath, telemetry } = outcome;
  const parts = [
    outcome.isPlayingAtEnd ? "plays on" : "THE FILM STANDS",
    `lasted ${lastedSeconds.toFixed(1)} s`,
    `stalled ${stalledSeconds.toFixed(1)} s`,
    `held up ${heldUpSeconds.toFixed(1)} s (slowdown ${slowdownOf(outcome.cpuUse).toFixed(1)})`,
    `bytes after ${bytesAfterSeconds?.toFixed(1) ?? "-"} s`,
    `over ${endPath}`,
    `telemetry missing ${telemetry.missing + telemetry.dropped}`,
  ];
  if (isTooBusy(outcome)) parts.push("TOO BUSY A MACHINE, not judged");
  const broken = brokenExpectations(outcome, expected).map((sentence) => `not as expected: ${sentence}`);
  return [parts.join(", "), ...broken].join("\n    ");
}
