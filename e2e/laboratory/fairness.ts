import { mean } from "../browser/statistics.ts";
import { jainIndex } from "./jain.ts";
import { type FlowPlan, INTERVAL_SECONDS, type RunPlan } from "./plan.ts";
import type { FlowIntervals, Intervals } from "./result.ts";

/** Of what several flows got: the last part of the time in which all of them were there. */
const JUDGED_SECONDS = 30;
/** Shares are counted over bins of this length: within a round trip no two flows get the same. */
export const SHARE_SECONDS = 1;

/** How a run's flows shared the link. */
export interface Fairness {
  /** Jain's index over the last 30 s in which all flows were active; null with a single flow, or without such a time. */
  jain: number | null;
  /** Of each flow in the same time: its part of what all got. */
  shares: (number | null)[];
}

/** Consecutive bins of SHARE_SECONDS. */
export interface ShareBin {
  timeSeconds: number;
  /** Of each flow; null where it was not active all the time. */
  bitsPerSecond: (number | null)[];
  /** Over the flows that were active. */
  jain: number | null;
}

export function runFairness(plan: RunPlan, intervals: Intervals): Fairness {
  const { flows } = plan.arm;
  const toSeconds = Math.min(...flows.map((flow) => flow.stopSeconds ?? plan.durationSeconds));
  const fromSeconds = Math.max(...flows.map((flow) => flow.startSeconds), toSeconds - JUDGED_SECONDS);
  if (flows.length < 2 || toSeconds <= fromSeconds) return { jain: null, shares: flows.map(() => null) };
  const rates = intervals.flows.map((flow) => delivered(flow, fromSeconds, toSeconds));
  const sum = rates.reduce((total, rate) => total + rate, 0);
  return { jain: jainIndex(rates), shares: rates.map((rate) => (sum === 0 ? null : rate / sum)) };
}

export function shareBins(plan: RunPlan, intervals: Intervals): ShareBin[] {
  const { flows } = plan.arm;
  const count = Math.floor(plan.durationSeconds / SHARE_SECONDS);
  return Array.from({ length: count }, (_, index) => {
    const fromSeconds = index * SHARE_SECONDS;
    const toSeconds = fromSeconds + SHARE_SECONDS;
    const bitsPerSecond = flows.map((flow, at) =>
      isActive(flow, fromSeconds, toSeconds)
        ? delivered(intervals.flows[at] as FlowIntervals, fromSeconds, toSeconds)
        : null,
    );
    const active = bitsPerSecond.filter((rate) => rate !== null);
    return { timeSeconds: fromSeconds, bitsPerSecond, jain: active.length < 2 ? null : jainIndex(active) };
  });
}

function isActive({ startSeconds, stopSeconds }: FlowPlan, fromSeconds: number, toSeconds: number): boolean {
  return startSeconds <= fromSeconds && toSeconds <= (stopSeconds ?? Number.POSITIVE_INFINITY);
}

function delivered(flow: FlowIntervals, fromSeconds: number, toSeconds: number): number {
  const [from, to] = [fromSeconds, toSeconds].map((seconds) => Math.round(seconds / INTERVAL_SECONDS));
  return mean(flow.deliveredBitsPerSecond.slice(from, to)) ?? 0;
}
