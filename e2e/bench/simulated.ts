/** Benchmarks in virtual time: neither browser nor emulation, a few seconds of Python a run. */
import { join } from "node:path";
import { BUILD_DIRECTORY } from "../environment.ts";
import { type LoadedLink, loadedLink } from "../laboratory/matrix.ts";
import { type Arm, type FlowPlan, planKey, type RunPlan } from "../laboratory/plan.ts";
import type { RunResult } from "../laboratory/result.ts";
import { runAll } from "../laboratory/run-all.ts";
import { sourcesOf } from "../laboratory/sources.ts";
import { RunStore } from "../laboratory/store.ts";
import { findTraces, type TracePair } from "../link/trace.ts";
import type { BenchContext } from "./benchmark.ts";

/** Each way; that of the emulated benchmarks. */
const DELAY_MS = 20;

export interface SimulatedRun {
  plan: RunPlan;
  link: LoadedLink;
}

interface RunOptions {
  link: LoadedLink;
  arm: Arm;
  seed: number;
  durationSeconds: number;
}

export function simulatedLink(traces: TracePair, queuePackets: number): LoadedLink {
  const settings = { delayMs: DELAY_MS, queuePackets, discipline: "droptail", lossRatio: 0 } as const;
  return loadedLink({ trace: traces.name, ...settings }, traces);
}

/** @param rate such as `24mbit` */
export async function constantRateLink(rate: string, queuePackets: number): Promise<LoadedLink> {
  return simulatedLink(await findTraces(rate, null), queuePackets);
}

/** A bulk transfer that goes on until the run ends. */
export function bulkFlow(scheme: string, preset: string, startSeconds = 0): FlowPlan {
  return { scheme, preset, startSeconds, stopSeconds: null, extraRttMs: 0, source: { kind: "bulk" } };
}

/** A run from the beginning of the link's trace. */
export function simulatedRun({ link, ...rest }: RunOptions): SimulatedRun {
  const { trace: name, ...settings } = link.choice;
  const { downlinkSha256, uplinkSha256 } = link.traces;
  const plan: RunPlan = {
    place: "simulation",
    link: { ...settings, name, downlinkSha256, uplinkSha256, startMs: 0 },
    acks: "chromium",
    ...rest,
  };
  return { plan, link };
}

/**
 * Runs what was not run before with the same sources.
 *
 * @returns in the runs' order; null for a run that failed, which is said on standard error
 */
export async function simulate(
  bench: BenchContext,
  runs: readonly SimulatedRun[],
): Promise<(RunResult | null)[]> {
  const directory = join(BUILD_DIRECTORY, "e2e", "bench", "simulated");
  const sources = sourcesOf("simulation", []);
  const keyed = runs.map((run) => ({ ...run, key: planKey(run.plan, sources) }));
  const store = await RunStore.open(directory);
  const { signal = new AbortController().signal } = bench.control;
  await runAll({ runs: keyed, store, mahimahi: null, qlogDirectory: null, signal, output: process.stderr });
  bench.bundles.push(directory);
  return Promise.all(keyed.map(async ({ key }) => (await store.read(key))?.result ?? null));
}
