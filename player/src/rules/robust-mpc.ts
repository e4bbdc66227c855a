/**
 * RobustMPC (Yin et al., "A Control-Theoretic Approach for Dynamic Adaptive Video Streaming over HTTP", SIGCOMM 2015,
 * sections 4.3 and 5.3): the plan of the next five segments that earns the most QoE_lin, at the lowest rate that past
 * errors leave likely. The plan's first rung is fetched, and the next segment has a plan of its own.
 *
 * The rate is the harmonic mean of the last five segments' throughputs, over 1 + the largest relative error that this
 * prediction had for each of them. These throughputs run from a request to its end, so that no round trip is added.
 * Segments earn their nominal bitrates, and bring sound along. The paper's d_k(R_k) are the sizes of the very next segments. A
 * DASH manifest of one file a segment does not tell them, so each weighs what the film's have weighed: on a film whose bitrate
 * varies this rule knows less than its namesake, and as much as NuwaRule.
 */

import { REBUFFER_PENALTY } from "../qoe/linear-qoe.ts";
import type { Decision, OwnRule, RuleContext } from "./rule.ts";
import { bitsAhead } from "./segment-sizes.ts";

/** Segments planned, and past ones that count (section 7.1). */
const HORIZON_SEGMENTS = 5;
/** A rate to plan with where nothing arrives. */
const LOWEST_BITS_PER_SECOND = 20_000;

export const robustMpc = {
  name: "robust-mpc",
  title: "RobustMPC",
  summary:
    "Plans five segments ahead at a rate that its own past errors leave likely (Yin et al., SIGCOMM 2015).",
  decide,
} as const satisfies OwnRule;

function decide(context: RuleContext): Decision {
  const { bufferSeconds, currentIndex, outlook } = context;
  const past = context.segmentThroughputsBitsPerSecond;
  if (past.length === 0 && outlook === null) {
    const reason = {
      why: "no throughput yet",
      bufferSeconds,
      predictedBitsPerSecond: null,
      largestError: null,
    };
    return { index: currentIndex ?? 0, reason };
  }
  const predicted = past.length === 0 ? (outlook?.nowBitsPerSecond ?? 0) : harmonicMean(past, past.length);
  const error = largestError(past);
  const index = bestFirstRung(context, Math.max(LOWEST_BITS_PER_SECOND, predicted / (1 + error)));
  const reason = { why: "plan", bufferSeconds, predictedBitsPerSecond: predicted, largestError: error };
  return { index, reason };
}

/** Of the five throughputs before place `end`. */
function harmonicMean(throughputs: readonly number[], end: number): number {
  const last = throughputs.slice(Math.max(0, end - HORIZON_SEGMENTS), end);
  return last.length / last.reduce((sum, bitsPerSecond) => sum + 1 / bitsPerSecond, 0);
}

/** By which share of what came the prediction missed one of the last five segments; 0 where none was predicted. */
export function largestError(throughputs: readonly number[]): number {
  let largest = 0;
  for (let at = Math.max(1, throughputs.length - HORIZON_SEGMENTS); at < throughputs.length; at++) {
    const actual = throughputs[at] ?? Number.NaN;
    largest = Math.max(largest, Math.abs(harmonicMean(throughputs, at) - actual) / actual);
  }
  return largest;
}

/** Of all plans; those that cannot reach the best so far are not gone through. */
function bestFirstRung(context: RuleContext, bitsPerSecond: number): number {
  const { ladderBitsPerSecond: ladder, segmentSeconds } = context;
  const segments = Math.max(
    1,
    Math.min(HORIZON_SEGMENTS, context.remainingSegments ?? Number.POSITIVE_INFINITY),
  );
  const quality = ladder.map((rung) => rung / 1e6);
  const highest = quality.at(-1) ?? 0;
  const otherBits = context.otherBitsPerSecond * segmentSeconds;
  const seconds = Array.from({ length: segments }, (_, step) =>
    ladder.map((_, rung) => (bitsAhead(context, rung, step) + otherBits) / bitsPerSecond),
  );
  let best = Number.NEGATIVE_INFINITY;
  let bestFirst = 0;
  const extend = (planned: number, first: number, previous: number | null, buffer: number, value: number) => {
    if (planned === segments) {
      if (value > best) {
        best = value;
        bestFirst = first;
      }
      return;
    }
    // Nothing earns more than to step to the highest rung at once and to stay there without a stall.
    const climb = previous === null ? 0 : highest - previous;
    if (value + (segments - planned) * highest - climb <= best) return;
    for (let rung = quality.length - 1; rung >= 0; rung--) {
      const own = quality[rung] ?? 0;
      const download = seconds[planned]?.[rung] ?? 0;
      const change = previous === null ? 0 : Math.abs(own - previous);
      const reachable = context.reachableBufferSeconds[rung] ?? buffer;
      const asked = Math.min(reachable, buffer);
      const stall = Math.max(0, download - asked);
      extend(
        planned + 1,
        planned === 0 ? rung : first,
        own,
        Math.min(reachable, Math.max(0, asked - download) + segmentSeconds),
        value + own - change - REBUFFER_PENALTY * stall,
      );
    }
  };
  const current = context.currentIndex === null ? null : (quality[context.currentIndex] ?? null);
  extend(0, 0, current, context.bufferSeconds, 0);
  return bestFirst;
}
