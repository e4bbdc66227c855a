/** What becomes of a film with 8 s in its buffer when something goes wrong. The worst of the repeats counts. */
import type { FilmSource } from "../../../media/package-film.ts";
import { findBrowser } from "../browsers/find-browser.ts";
import { presentationOf } from "../cell/presentation.ts";
import { brokenExpectations } from "../fault-rig/expectation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import { type Outcome, unexplainedProblems } from "../fault-rig/outcome.ts";
import { FaultError, runFault } from "../fault-rig/run-fault.ts";
import { FAULTS } from "../faults/registry.ts";
import { slowdownOf } from "../process/cpu-use.ts";
import type { BenchContext, Figure, Reach } from "./benchmark.ts";
import { totalFigure, worstFigure } from "./figures.ts";

const FILM: FilmSource = { kind: "demo" };

export const SUBJECTS = FAULTS.map(({ name }) => name);

/** Repeat N plays all faults from seed + N - 1, so that any run can be made again by itself. */
export async function run(bench: BenchContext): Promise<Figure[]> {
  const program = await findBrowser();
  const { onProgress = () => undefined, signal } = bench.control;
  const presentation = await presentationOf(FILM, onProgress);
  const chosen = FAULTS.filter(
    ({ name, needs = process.platform }) => bench.isChosen(name) && needs === process.platform,
  );
  const outcomes = new Map(chosen.map((fault) => [fault, [] as (Outcome | null)[]]));
  for (let repeat = 1; repeat <= bench.repeats; repeat += 1) {
    for (const fault of chosen) {
      signal?.throwIfAborted();
      const seed = bench.seed + repeat - 1;
      onProgress(`repeat ${repeat} of ${bench.repeats}: ${fault.name}, seed ${seed}`);
      const outcome = await runFault(fault, { program, presentation, seed }).catch(asFailure);
      onProgress(`  ${outcome instanceof FaultError ? outcome.message : inWords(outcome, fault)}`);
      outcomes.get(fault)?.push(outcome instanceof FaultError ? null : outcome);
    }
  }
  return [...outcomes].flatMap(([fault, seen]) => figuresOf(fault, seen));
}

/** A run that could not be watched to its end has no figures, and the others go on. */
function asFailure(error: unknown): FaultError {
  if (error instanceof FaultError) return error;
  throw error;
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
  const broken = brokenExpectations(outcome, expected).map((sentence) => `not as expected: ${sentence}`);
  return [parts.join(", "), ...broken].join("\n    ");
}

function figuresOf({ title, expected }: Fault, outcomes: readonly (Outcome | null)[]): Figure[] {
  const { stalledSeconds, bytesAfterSeconds, firstFrameSeconds } = expected;
  const worst = (what: string, unit: string, read: (outcome: Outcome) => number | null, reach?: Reach) =>
    worstFigure(
      { what: `${title}: ${what}`, unit, ...(reach && { reach }) },
      outcomes.map((outcome) => outcome && read(outcome)),
    );
  const isBroken = (outcome: Outcome) => brokenExpectations(outcome, expected).length > 0;
  const figures = [
    totalFigure(
      { what: `${title}: runs with a broken expectation`, unit: "runs", reach: atMost(0) },
      outcomes.map((outcome) => outcome && Number(isBroken(outcome))),
    ),
    worst("films that ended", "", ({ isPlayingAtEnd }) => (isPlayingAtEnd ? 0 : 1), atMost(0)),
    worst("stalled", "s", (outcome) => outcome.stalledSeconds, atMost(stalledSeconds)),
  ];
  if (bytesAfterSeconds !== undefined)
    figures.push(
      worst("bytes flow after", "s", (outcome) => outcome.bytesAfterSeconds, atMost(bytesAfterSeconds)),
    );
  if (firstFrameSeconds !== undefined)
    figures.push(
      worst("first frame", "s", (outcome) => outcome.firstFrameSeconds, atMost(firstFrameSeconds)),
    );
  return [
    ...figures,
    worst("WebTransport again after", "s", (outcome) => outcome.webTransportAfterSeconds),
    worst(
      "errors that it need not cause",
      "",
      (outcome) => unexplainedProblems(outcome, expected).length,
      atMost(0),
    ),
    worst("telemetry lost", "events", ({ telemetry }) => telemetry.missing + telemetry.dropped, atMost(0)),
  ];
}

const atMost = (value: number): Reach => ({ comparison: "at most", value });
