/** Runs what is not finished: the simulations side by side, then the emulated runs one after the other. */
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { LinkLogError } from "../browser/link/log.ts";
import { LinkError } from "../browser/link/trace.ts";
import { ChildError } from "../browser/process/child.ts";
import type { Mahimahi } from "../browser/setup/shell-command.ts";
import { describeMark } from "./decisions.ts";
import { runEmulated } from "./emulation.ts";
import type { Condition, LoadedLink } from "./matrix.ts";
import { describeRun, type Place, planKey, type RunPlan } from "./plan.ts";
import { findPolicyProblems, type PolicyProblems, requirePolicies } from "./policy-check.ts";
import { type Progress, type ProgressOptions, showProgress } from "./progress.ts";
import { RunError, type RunFailure, type RunResult } from "./result.ts";
import { readAnswer, simulationRequest } from "./simulation.ts";
import { Simulator } from "./simulators.ts";
import type { RunRecord, RunStore } from "./store.ts";

/** A run and the name of its row file. */
export interface KeyedRun {
  key: string;
  plan: RunPlan;
  link: LoadedLink;
}

export interface RunAllOptions {
  runs: readonly KeyedRun[];
  store: RunStore;
  mahimahi: Mahimahi | null;
  /** Where servers leave their qlog, a folder for each run; null for none. */
  qlogDirectory: string | null;
  signal: AbortSignal;
  /** Simulations side by side; one a core, unless said otherwise. */
  jobs?: number;
  output: ProgressOptions["output"];
  /** Program and arguments of a simulation; the clone's, unless said otherwise. */
  simulator?: readonly [string, ...string[]];
  /** The same of what tells which schemes lack their policy. */
  policyChecker?: readonly [string, ...string[]];
}

/** The runs of all conditions, each once: two conditions may share what they are held against. */
export function keyedRuns(conditions: readonly Condition[], sourcesOf: (place: Place) => string): KeyedRun[] {
  const runs = new Map<string, KeyedRun>();
  for (const { link, runs: own, references } of conditions) {
    for (const plan of [...own, ...references]) {
      const key = planKey(plan, sourcesOf(plan.place));
      if (!runs.has(key)) runs.set(key, { key, plan, link });
    }
  }
  return [...runs.values()];
}

/** What was run before is not run again, except what failed. An abort leaves what is finished. */
export async function runAll(options: RunAllOptions): Promise<void> {
  const { runs, store, output } = options;
  const records = await Promise.all(runs.map(({ key }) => store.read(key)));
  const pending = runs.filter((_, index) => (records[index] ?? null)?.result == null);
  if (pending.length === 0) return;
  const progress = showProgress({ total: runs.length, done: runs.length - pending.length, output });
  try {
    await simulateAll(pending.filter(isSimulated), options, progress);
    const emulated = pending.filter((one) => !isSimulated(one));
    const problems = await findPolicyProblems(
      emulated.map(({ plan }) => plan),
      options.policyChecker,
    );
    for (const run of emulated) {
      await runOne(run, options, progress, () => emulate(run, problems, options));
    }
  } finally {
    progress.stop();
  }
}

function isSimulated({ plan }: KeyedRun): boolean {
  return plan.place === "simulation";
}

async function simulateAll(
  runs: readonly KeyedRun[],
  options: RunAllOptions,
  progress: Progress,
): Promise<void> {
  const { signal, simulator: command, jobs = availableParallelism() } = options;
  const left = runs.values();
  const work = async () => {
    await using simulator = new Simulator(command);
    for (const run of left) {
      await runOne(run, options, progress, async () => {
        const line = await simulator.ask(simulationRequest(run.key, run.plan, run.link), signal);
        return readAnswer(line, run.key);
      });
    }
  };
  const workers = Math.min(jobs, runs.length);
  await Promise.all(Array.from({ length: workers }, work));
}

async function emulate(
  { key, plan, link }: KeyedRun,
  problems: PolicyProblems,
  { mahimahi, qlogDirectory, signal }: RunAllOptions,
): Promise<RunResult> {
  requirePolicies(plan, problems);
  const qlog = qlogDirectory === null ? null : join(qlogDirectory, key);
  if (qlog !== null) await rm(qlog, { recursive: true, force: true }); // of an earlier attempt
  const learned = new Set(Object.keys(problems));
  return runEmulated({ plan, link, mahimahi, qlogDirectory: qlog, learned, signal });
}

async function runOne(
  { key, plan }: KeyedRun,
  { store, signal }: RunAllOptions,
  progress: Progress,
  run: () => Promise<RunResult>,
): Promise<void> {
  const startedAtMs = performance.now();
  progress.begin(describeRun(plan));
  const outcome = await settle(run, signal);
  const wallSeconds = (performance.now() - startedAtMs) / 1000;
  const record: RunRecord = { plan, ...outcome, finishedAt: new Date().toISOString(), wallSeconds };
  await store.write(key, record);
  if (outcome.failure !== null) progress.say(`failed: ${describeRun(plan)}: ${outcome.failure.message}`);
  const mark = outcome.result && describeMark(outcome.result);
  if (mark !== null) progress.say(`marked: ${describeRun(plan)}: ${mark}`);
  progress.finish(describeRun(plan));
}

/** What a run, its processes or its link did wrong is the run's failure; anything else, an abort above all, is thrown. */
async function settle(
  run: () => Promise<RunResult>,
  signal: AbortSignal,
): Promise<Pick<RunRecord, "result" | "failure">> {
  try {
    return { result: await run(), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    return { result: null, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): RunFailure {
  if (error instanceof RunError) return error.failure;
  const isOurs = error instanceof ChildError || error instanceof LinkError || error instanceof LinkLogError;
  if (isOurs || isSystemError(error)) return { scheme: null, message: error.message, state: {} };
  throw error;
}

/** Something that the operating system refused. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
