/** Runs made up for tests: steady ones, whose figures are known. */
import type { FinishedRun } from "./finished-run.ts";
import { type Condition, expandMatrix, loadedLink } from "./matrix.ts";
import { type MatrixRequest, parseMatrixOptions } from "./options.ts";
import { type FlowPlan, INTERVAL_SECONDS, type RunPlan } from "./plan.ts";
import type { RunFailure, RunResult } from "./result.ts";

const KNOWN = {
  schemes: ["nuwa", "cubic"],
  receiverDriven: ["nuwa"],
  presets: ["on-demand"],
  defaultPreset: "on-demand",
};
const TRACES = {
  name: "24mbit",
  downlink: "1\n1000\n",
  uplink: "1\n",
  downlinkSha256: "f00d",
  uplinkSha256: "f00d",
};

export function sampleFlow(changes: Partial<FlowPlan> = {}): FlowPlan {
  return {
    ...{ scheme: "cubic", preset: "on-demand", startSeconds: 0, stopSeconds: null, extraRttMs: 0 },
    source: { kind: "bulk" },
    ...changes,
  };
}

export function samplePlan(changes: Partial<RunPlan> = {}): RunPlan {
  return {
    place: "simulation",
    link: {
      ...{ name: "24mbit", downlinkSha256: "a", uplinkSha256: "a", startMs: 0 },
      ...{ delayMs: 20, discipline: "droptail", queuePackets: 300, lossRatio: 0 },
    },
    arm: { name: "cubic", flows: [sampleFlow()] },
    ...{ seed: 1, durationSeconds: 2, acks: "chromium" },
    ...changes,
  };
}

/** @param megabitsPerSecond what each flow receives all the time */
export function sampleResult(
  { arm, durationSeconds }: RunPlan,
  megabitsPerSecond: readonly number[],
  p95Ms: number,
): RunResult {
  const times = Array.from(
    { length: Math.round(durationSeconds / INTERVAL_SECONDS) },
    (_, index) => index * INTERVAL_SECONDS,
  );
  const all = <Value>(value: Value): Value[] => times.map(() => value);
  return {
    flows: arm.flows.map(({ scheme }, index) => ({
      scheme,
      goodputBitsPerSecond: (megabitsPerSecond[index] as number) * 1e6,
      throughputBitsPerSecond: (megabitsPerSecond[index] as number) * 1e6,
      queueingDelay: { meanMs: p95Ms / 2, p50Ms: p95Ms / 2, p95Ms, maxMs: 2 * p95Ms },
      ...{ packetsSent: 1000, packetsLost: 10, spuriousLosses: 0, rttMeanMs: 40 + p95Ms / 2 },
    })),
    link: {
      capacityBitsPerSecond: 24e6,
      throughputBitsPerSecond: megabitsPerSecond.reduce((sum, rate) => sum + rate * 1e6, 0),
      queueingDelay: { meanMs: p95Ms / 2, p50Ms: p95Ms / 2, p95Ms, maxMs: 2 * p95Ms },
      ...{ dropped: 10, lost: 0 },
    },
    intervals: {
      timeSeconds: times,
      capacityBitsPerSecond: all(24e6),
      flows: arm.flows.map((_, index) => ({
        deliveredBitsPerSecond: all((megabitsPerSecond[index] as number) * 1e6),
        queueingDelayMeanMs: all(p95Ms / 2),
        queueingDelayP95Ms: all(p95Ms),
        ...{ cwndBytes: all(120_000), bytesInFlight: all(110_000), pacingBitsPerSecond: all(25e6) },
      })),
    },
    serverCpuShare: null,
    decisions: [],
  };
}

export interface SampleMatrix {
  request: MatrixRequest;
  conditions: Condition[];
  runs: FinishedRun[];
}

/** Runs whose figures grow with the seed: Mbit/s of each flow, and the p95 delay. */
export function sampleMatrix(
  line: string,
  figures: (plan: RunPlan) => { rates: number[]; p95Ms: number } | RunFailure,
): SampleMatrix {
  const request = parseMatrixOptions(line.split(" "), KNOWN) as MatrixRequest;
  const conditions = expandMatrix(
    request,
    request.links.map((choice) => loadedLink(choice, TRACES)),
  );
  const plans = conditions.flatMap(({ runs, references }) => [...runs, ...references]);
  const runs = plans.map((plan, index): FinishedRun => {
    const figure = figures(plan);
    const isFailure = "message" in figure;
    const record = {
      ...{ plan, finishedAt: "2026-11-21T12:00:00.000Z", wallSeconds: 1 },
      result: isFailure ? null : sampleResult(plan, figure.rates, figure.p95Ms),
      failure: isFailure ? figure : null,
    };
    return { key: String(index), record };
  });
  return { request, conditions, runs };
}
