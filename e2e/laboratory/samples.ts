/** Runs made up for tests: steady ones, whose figures are known. */
import type { FlowPlan, RunPlan } from "./plan.ts";
import { INTERVAL_SECONDS } from "./plan.ts";
import type { RunResult } from "./result.ts";

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
