/** What the runs of a condition come to, scheme by scheme. */
import { type Bounds, type Estimate, estimateMean, pairedRatios } from "./estimate.ts";
import { runFairness } from "./fairness.ts";
import type { FindRun, FinishedRun } from "./finished-run.ts";
import type { Arm, FlowPlan, RunPlan } from "./plan.ts";
import type { RunFailure, RunResult } from "./result.ts";

/** One run in numbers; null where it failed or has none. */
export interface RunFigures {
  seed: number;
  key: string;
  throughputBitsPerSecond: number | null;
  /** Of the link, in the time of the run. */
  capacityBitsPerSecond: number | null;
  /** Of that capacity. */
  utilisation: number | null;
  /** Delays are of all flows' packets together. */
  delayMeanMs: number | null;
  delayP95Ms: number | null;
  /** Of the packets sent, those that the sender declared lost. */
  lossRatio: number | null;
  jain: number | null;
  failure: RunFailure | null;
}

/** No rate or delay is negative, and no share above one. */
const AMOUNT: Bounds = { least: 0 };
const SHARE: Bounds = { least: 0, most: 1 };
/** Nothing is less by more than all of it. */
const CHANGE: Bounds = { least: -1 };

type Quantity = Exclude<keyof RunFigures, "seed" | "key" | "failure" | "capacityBitsPerSecond">;

export interface ArmSummary {
  arm: Arm;
  figures: readonly RunFigures[];
  estimates: Readonly<Record<Quantity, Estimate | null>>;
  /** How much more than the baseline with the same seed, as a share of it; null for the baseline itself. */
  againstBaseline: { throughput: Estimate | null; delayP95: Estimate | null } | null;
}

/** @param plans the arm's and the baseline's, both in the order of their seeds */
export function summariseArm(
  arm: Arm,
  plans: { own: readonly RunPlan[]; baseline: readonly RunPlan[] | null },
  find: FindRun,
): ArmSummary {
  const figures = plans.own.map((plan) => figuresOf(find(plan)));
  const partners = plans.baseline?.map((plan) => figuresOf(find(plan))) ?? null;
  const estimate = (quantity: Quantity, bounds: Bounds) => estimateMean(valuesOf(figures, quantity), bounds);
  const compare = (quantity: Quantity) =>
    estimateMean(
      pairedRatios(
        figures.map((run) => run[quantity]),
        (partners ?? []).map((run) => run[quantity]),
      ),
      CHANGE,
    );
  return {
    ...{ arm, figures },
    estimates: {
      throughputBitsPerSecond: estimate("throughputBitsPerSecond", AMOUNT),
      utilisation: estimate("utilisation", SHARE),
      delayMeanMs: estimate("delayMeanMs", AMOUNT),
      delayP95Ms: estimate("delayP95Ms", AMOUNT),
      lossRatio: estimate("lossRatio", SHARE),
      jain: estimate("jain", SHARE),
    },
    againstBaseline:
      partners === null
        ? null
        : { throughput: compare("throughputBitsPerSecond"), delayP95: compare("delayP95Ms") },
  };
}

/** One flow of an arm, in the mean of its runs. */
export interface FlowSummary {
  arm: Arm;
  flow: FlowPlan;
  /** While it was active. */
  throughputBitsPerSecond: Estimate | null;
  /** Of what all received in the last 30 s that all were active. */
  share: Estimate | null;
  delayP95Ms: Estimate | null;
  lossRatio: Estimate | null;
}

export function summariseFlows(arm: Arm, plans: readonly RunPlan[], find: FindRun): FlowSummary[] {
  const runs = plans.flatMap((plan) => {
    const { result } = find(plan).record;
    return result === null ? [] : [{ result, shares: runFairness(plan, result.intervals).shares }];
  });
  return arm.flows.map((flow, index) => {
    const estimate = (bounds: Bounds, value: (run: (typeof runs)[number]) => number | null | undefined) =>
      estimateMean(
        runs.map(value).filter((sample) => sample != null),
        bounds,
      );
    return {
      ...{ arm, flow },
      throughputBitsPerSecond: estimate(AMOUNT, ({ result }) => result.flows[index]?.throughputBitsPerSecond),
      share: estimate(SHARE, ({ shares }) => shares[index]),
      delayP95Ms: estimate(AMOUNT, ({ result }) => result.flows[index]?.queueingDelay?.p95Ms),
      lossRatio: estimate(SHARE, ({ result }) => lossOf(result.flows.slice(index, index + 1))),
    };
  });
}

export function figuresOf({ key, record: { plan, result, failure } }: FinishedRun): RunFigures {
  const { seed } = plan;
  if (result === null) {
    const rates = { throughputBitsPerSecond: null, capacityBitsPerSecond: null, utilisation: null };
    const delays = { delayMeanMs: null, delayP95Ms: null };
    return { seed, key, ...rates, ...delays, lossRatio: null, jain: null, failure };
  }
  const { throughputBitsPerSecond, capacityBitsPerSecond, queueingDelay } = result.link;
  return {
    ...{ seed, key, throughputBitsPerSecond, capacityBitsPerSecond, failure: null },
    utilisation: capacityBitsPerSecond === 0 ? null : throughputBitsPerSecond / capacityBitsPerSecond,
    delayMeanMs: queueingDelay?.meanMs ?? null,
    delayP95Ms: queueingDelay?.p95Ms ?? null,
    lossRatio: lossOf(result.flows),
    jain: runFairness(plan, result.intervals).jain,
  };
}

function lossOf(flows: RunResult["flows"]): number | null {
  const sum = (values: readonly (number | null)[]) =>
    values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
  const sent = sum(flows.map(({ packetsSent }) => packetsSent));
  const lost = sum(flows.map(({ packetsLost }) => packetsLost));
  return sent === null || lost === null || sent === 0 ? null : lost / sent;
}

function valuesOf(figures: readonly RunFigures[], quantity: Quantity): number[] {
  return figures.map((run) => run[quantity]).filter((value) => value !== null);
}
