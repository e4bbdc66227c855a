/** The fault matrix from the runs that were kept, of whatever command: a table with a line a fault, and sums of all. */
import { brokenExpectations, isTooBusy } from "../fault-rig/expectation.ts";
import type { Fault } from "../fault-rig/fault.ts";
import { type Outcome, unexplainedProblems } from "../fault-rig/outcome.ts";
import type { KeptRun } from "../fault-rig/run-store.ts";
import { markdownTable } from "../markdown-table.ts";
import { slowdownOf } from "../process/cpu-use.ts";
import { maximum, median } from "../statistics.ts";
import type { Figure, Sample } from "./benchmark.ts";
import { atMost, medianFigure, totalFigure } from "./figures.ts";

const HEADER = [
  "fault",
  "runs",
  "too busy",
  "broken",
  "unwatched",
  "ended",
  "stalled, s",
  "bytes after, s",
  "lost",
  "slowdown",
];

const CAPTION = `Times are the worst of all runs, in brackets the limit of a quiet machine; what is beyond it is bold. For faults that are
there from the start it is the first frame. Broken runs did something else than is expected, with limits stretched by
their slowdown (median to worst). Lost are events of telemetry.`;

/** A run beside which the machine was too busy is kept, and counted, and says nothing else. */
export function isJudged({ outcome }: KeptRun): boolean {
  return outcome === null || !isTooBusy(outcome);
}

/** A line for each fault that was played. */
export function faultTable(faults: readonly Fault[], runs: readonly KeptRun[]): string {
  const played = faults.map((fault) => ({ fault, seen: runsOf(fault, runs) }));
  return `${CAPTION}\n\n${markdownTable([HEADER, ...played.filter(({ seen }) => seen.length > 0).map(line)])}`;
}

function line({ fault, seen }: { fault: Fault; seen: readonly KeptRun[] }): string[] {
  const { stalledSeconds, bytesAfterSeconds, firstFrameSeconds } = fault.expected;
  const judged = seen.filter(isJudged);
  const outcomes = judged.flatMap(({ outcome }) => outcome ?? []);
  const slowdowns = outcomes.map(({ cpuUse }) => slowdownOf(cpuUse));
  const waited =
    firstFrameSeconds === undefined
      ? time(
          outcomes.map((outcome) => outcome.bytesAfterSeconds),
          bytesAfterSeconds,
        )
      : time(
          outcomes.map((outcome) => outcome.firstFrameSeconds),
          firstFrameSeconds,
        );
  return [
    fault.name,
    String(judged.length),
    String(seen.length - judged.length),
    count(outcomes.filter((outcome) => isBroken(outcome, fault)).length),
    count(judged.length - outcomes.length),
    count(outcomes.filter(({ isPlayingAtEnd }) => !isPlayingAtEnd).length),
    time(
      outcomes.map((outcome) => outcome.stalledSeconds),
      stalledSeconds,
    ),
    waited,
    count(outcomes.reduce((sum, outcome) => sum + telemetryLost(outcome), 0)),
    [median(slowdowns), maximum(slowdowns)].map((value) => value?.toFixed(1) ?? "").join(" to "),
  ];
}

/** The longest of them; one that never came is longer than any. */
function time(seconds: readonly (number | null)[], limitSeconds: number | undefined): string {
  if (seconds.length === 0) return "";
  const worst = maximum(seconds.map((value) => value ?? Number.POSITIVE_INFINITY)) ?? 0;
  const text = worst === Number.POSITIVE_INFINITY ? "never" : worst.toFixed(2);
  if (limitSeconds === undefined) return text;
  return `${worst > limitSeconds ? `**${text}**` : text} (${limitSeconds})`;
}

function count(runs: number): string {
  return runs === 0 ? "0" : `**${runs}**`;
}

/** The value of each repeat is that of all runs from its seed. */
export function faultFigures(faults: readonly Fault[], runs: readonly KeptRun[]): Figure[] {
  const of = new Map(faults.map((fault) => [fault.name, fault]));
  const all = runs.filter(({ fault }) => of.has(fault));
  const seen = all.filter(isJudged);
  const seeds = [...new Set(seen.map(({ seed }) => seed))];
  const sums = (read: (run: KeptRun, fault: Fault) => number): Sample[] =>
    seeds.map((seed) =>
      seen
        .filter((run) => run.seed === seed)
        .reduce((sum, run) => sum + read(run, of.get(run.fault) as Fault), 0),
    );
  const none = atMost(0);
  const ofOutcome = (read: (outcome: Outcome, fault: Fault) => number) =>
    sums(({ outcome }, fault) => (outcome === null ? 0 : read(outcome, fault)));
  const slowdowns = seeds.map((seed) =>
    median(
      seen.flatMap(({ seed: own, outcome }) =>
        own === seed && outcome !== null ? [slowdownOf(outcome.cpuUse)] : [],
      ),
    ),
  );
  return [
    totalFigure(
      "runs",
      sums(() => 1),
      "runs",
    ),
    totalFigure("more, on a machine too busy to judge them", [all.length - seen.length], "runs"),
    totalFigure(
      "could not be watched to their end",
      sums(({ outcome }) => Number(outcome === null)),
      "runs",
      none,
    ),
    totalFigure(
      "with a broken expectation, limits stretched by slowdown",
      ofOutcome((outcome, fault) => Number(isBroken(outcome, fault))),
      "runs",
      none,
    ),
    totalFigure(
      "films that ended",
      ofOutcome(({ isPlayingAtEnd }) => Number(!isPlayingAtEnd)),
      "runs",
      none,
    ),
    totalFigure(
      "stalled longer than a quiet machine may",
      ofOutcome(({ stalledSeconds }, { expected }) => Number(stalledSeconds > expected.stalledSeconds)),
      "runs",
      none,
    ),
    totalFigure(
      "errors that no fault need cause",
      ofOutcome((outcome, { expected }) => unexplainedProblems(outcome, expected).length),
      "",
      none,
    ),
    totalFigure("telemetry lost", ofOutcome(telemetryLost), "events", none),
    medianFigure("slowdown by other work on the machine", slowdowns, "x"),
  ];
}

function runsOf({ name }: Fault, runs: readonly KeptRun[]): KeptRun[] {
  return runs.filter(({ fault }) => fault === name);
}

function isBroken(outcome: Outcome, { expected }: Fault): boolean {
  return brokenExpectations(outcome, expected).length > 0;
}

function telemetryLost({ telemetry }: Outcome): number {
  return telemetry.missing + telemetry.dropped;
}
