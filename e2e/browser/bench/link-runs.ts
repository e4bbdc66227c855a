/** Runs of the laboratory for benchmarks: flows over a link, without a browser. */
import { join } from "node:path";
import { type LoadedLink, loadedLink } from "../../laboratory/matrix.ts";
import { type Arm, type FlowPlan, type Place, planKey, type RunPlan } from "../../laboratory/plan.ts";
import type { RunResult } from "../../laboratory/result.ts";
import { runAll } from "../../laboratory/run-all.ts";
import { sourcesOf } from "../../laboratory/sources.ts";
import { RunStore } from "../../laboratory/store.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import { findTraces, type TracePair } from "../link/trace.ts";
import type { BenchContext } from "./benchmark.ts";

/** Each way; that of the emulated benchmarks. */
const DELAY_MS = 20;

export interface LinkRun {
  plan: RunPlan;
  link: LoadedLink;
}

interface RunOptions {
  link: LoadedLink;
  arm: Arm;
  seed: number;
  durationSeconds: number;
  /** Simulation, unless said otherwise. */
  place?: Place;
  /** Where in the link's trace it begins; at its beginning, unless said otherwise. */
  startMs?: number;
}

export function benchLink(traces: TracePair, queuePackets: number): LoadedLink {
  const settings = { delayMs: DELAY_MS, queuePackets, discipline: "droptail", lossRatio: 0 } as const;
  return loadedLink({ trace: traces.name, ...settings }, traces);
}

/** @param rate such as `24mbit` */
export async function constantRateLink(rate: string, queuePackets: number): Promise<LoadedLink> {
  return benchLink(await findTraces(rate, null), queuePackets);
}

/** A bulk transfer that goes on until the run ends. */
export function bulkFlow(scheme: string, preset: string, startSeconds = 0): FlowPlan {
  return { scheme, preset, startSeconds, stopSeconds: null, extraRttMs: 0, source: { kind: "bulk" } };
}

export function linkRun({ link, place = "simulation", startMs = 0, ...rest }: RunOptions): LinkRun {
  const { trace: name, ...settings } = link.choice;
  const { downlinkSha256, uplinkSha256 } = link.traces;
  const plan: RunPlan = {
    place,
    link: { ...settings, name, downlinkSha256, uplinkSha256, startMs },
    acks: "chromium",
    ...rest,
  };
  return { plan, link };
}

/**
 * Runs what was not run before with the same sources, or with --fresh everything.
 *
 * @returns in the runs' order; null for a run that failed, which is said on standard error
 */
export async function resultsOf(
  bench: BenchContext,
  runs: readonly LinkRun[],
): Promise<(RunResult | null)[]> {
  const directory = join(BUILD_DIRECTORY, "e2e", "bench", "runs");
  const { mahimahi } = bench;
  const version = mahimahi === null ? [] : [mahimahi.version];
  const places = [...new Set(runs.map(({ plan }) => plan.place))];
  const sources = Object.fromEntries(
    places.map((place) => [place, sourcesOf(place, place === "mahimahi" ? version : [])]),
  );
  const keyed = runs.map((run) => ({ ...run, key: planKey(run.plan, sources[run.plan.place] as string) }));
  const store = await RunStore.open(directory);
  const { signal = new AbortController().signal, onProgress } = bench.control;
  if (bench.isFresh) for (const { key } of keyed) await store.forget(key);
  const stored = (await Promise.all(keyed.map(({ key }) => store.read(key)))).filter(
    (record) => record?.result,
  );
  if (stored.length > 0) {
    const oldest = stored.map((record) => record?.finishedAt ?? "").toSorted()[0];
    onProgress?.(
      `${stored.length} of ${runs.length} runs were made earlier, from ${oldest} on; --fresh makes them again`,
    );
  }
  await runAll({ runs: keyed, store, mahimahi, qlogDirectory: null, signal, output: process.stderr });
  bench.bundles.push(directory);
  const results = await Promise.all(keyed.map(async ({ key }) => (await store.read(key))?.result ?? null));
  bench.failedRuns += results.filter((result) => result === null).length;
  return results;
}
