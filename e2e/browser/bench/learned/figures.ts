/** What `python -m e2e.laboratory figures` finds, as it writes it. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { runCommand } from "../../../../server/setup/children.ts";
import { simulatorPython } from "../../../laboratory/simulators.ts";
import { ROOT } from "../../environment.ts";
import type { Figure, Reach } from "../benchmark.ts";

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface LearnedFigure {
  what: string;
  /** null where nothing was measured. */
  value: number | null;
  /** 95 %; null where none is known. */
  interval: Interval | null;
  unit: string;
  reach: Reach | null;
  /** Whether the interval's lower end is what has to reach it. */
  has_to_be_sure: boolean;
}

/** An arm's means over a group's scenarios. */
export interface Row {
  name: string;
  is_policy: boolean;
  scenarios: number;
  reward: number;
  utilisation: number;
  throughput_bits_per_s: number;
  queueing_s: number;
  /** null where in some scenario nothing arrived. */
  queueing_p95_s: number | null;
  latency_s: number;
  loss_ratio: number;
  share: number | null;
}

/** A policy's reward less a rival's, in the same scenarios. */
export interface Difference {
  policy: string;
  rival: string;
  interval: Interval;
  is_to_be_beaten: boolean;
}

/** Arms in the same scenarios. */
export interface Group {
  name: string;
  /** None where the policy is not shipped. */
  rows: readonly Row[];
  differences: readonly Difference[];
  note: string;
  /** What it is, in words and symbols; empty where it says nothing here. */
  reward: string;
  /** Rows on the Pareto front. */
  front: readonly string[];
  /** Of the network's switches, where that sets groups apart. */
  known_ratio: number | null;
}

export interface Part {
  name: string;
  title: string;
  text: string;
  groups: readonly Group[];
  figures: readonly LearnedFigure[];
}

export interface ShippedPolicy {
  name: string;
  title: string;
  scheme: string;
  model_bytes: number;
  sha256: string;
  seed: number;
  steps: number;
}

export interface LearnedReport {
  seeds: number;
  /** How many of the split's could be had. */
  traces: number;
  missing_traces: readonly string[];
  sources_sha256: string;
  /** Of all policies, in the order of the tables. */
  titles: Readonly<Record<string, string>>;
  /** Those that are shipped. */
  policies: readonly ShippedPolicy[];
  parts: readonly Part[];
}

export interface FiguresOptions {
  /** What the command writes. */
  file: string;
  isFresh: boolean;
  signal: AbortSignal;
}

/** Plays what was not played before, which is said on standard error. */
export async function learnedFigures({ file, isFresh, signal }: FiguresOptions): Promise<LearnedReport> {
  await mkdir(dirname(file), { recursive: true });
  const args = [
    "-m",
    "e2e.laboratory",
    "figures",
    "--json",
    "--output",
    file,
    ...(isFresh ? ["--fresh"] : []),
  ];
  const code = await runCommand([simulatorPython(), ...args], { cwd: ROOT, signal });
  if (code !== 0) throw new Error(`python ${args.join(" ")} ended with status ${code}`);
  return JSON.parse(await readFile(file, "utf8")) as LearnedReport;
}

/** As the bench's table has it. What has to be sure is there with its interval's lower end. */
export function benchFigure(figure: LearnedFigure): Figure {
  const { what, value, unit, reach, interval, has_to_be_sure: hasToBeSure } = figure;
  if (!hasToBeSure || interval === null) return { what, value, unit, samples: [], reach };
  return { what: `${what}, lower end of 95 %`, value: interval.low, unit, samples: [], reach };
}
