/**
 * NuwaRule: which bitrate to fetch next, from the receiver's estimate of the network together with the buffer.
 *
 * A look-ahead in the manner of MPC (Yin et al., SIGCOMM 2015), with three changes. The rate ahead starts at the capacity
 * measured just now and relaxes towards what was sustained, instead of being one mean of past downloads. How cautious it
 * is follows from how much that capacity has varied, from a queue above its target, and from how little buffer there is to
 * be wrong with. And a plan holds one rung: among plans that may change, the best is often to step up later, and it is the
 * best again at every later segment.
 *
 * The constants were chosen one after another on simulated films of one minute over AT&T's, T-Mobile's and New York's
 * LTE traces. The Verizon trace, on which the figures of e2e/FIGURES.md are measured, was not among them.
 *
 * Pure: no clock, nothing of dash.js. Seconds, bits per second.
 */

import { type BandwidthOutlook, predictedBitsPerSecond } from "./bandwidth-outlook.ts";
import { chooseAbandon } from "./nuwa-abandon.ts";
import type { OwnRule, RuleContext } from "./rule.ts";

/** Segments looked ahead: the time in which a cellular link's rate is still worth predicting. */
const HORIZON_SEGMENTS = 4;
/** Buffer that a plan should not fall below: two segments and the time to notice. */
const RESERVE_SECONDS = 5;
/** Cost of a second of stall, in bits per second of quality for a second, as a multiple of the highest rung. */
const STALL_COST = 3;
/** Cost of a second of buffer below the reserve, in the same measure. */
const RESERVE_COST = 0.06;
/** Weight of a change of quality, per bit per second; QoE_lin's own is 1, and a change now invites one back later. */
const SWITCH_COST = 1.4;
/** Worth of a second of buffer at the end of the plan, as a share of the rate that is sustained. */
const BUFFER_WORTH = 0.5;
/** A step up must gain this share of the present quality over the plan, or it stays: the estimate is noisy. */
const UPWARD_HYSTERESIS = 0.04;

/** Why: the numbers that decided. */
type NuwaRuleReason = {
  readonly why: "no estimate yet" | "plan" | "hysteresis";
  readonly bufferSeconds: number;
  readonly bandwidthBitsPerSecond: number | null;
  readonly sustainedBitsPerSecond: number | null;
  readonly variation: number | null;
  readonly safety: number | null;
  readonly queueingDelaySeconds: number;
  readonly predictedBufferSeconds: number | null;
  readonly predictedStallSeconds: number | null;
};

interface Choice {
  readonly index: number;
  readonly reason: NuwaRuleReason;
}

interface Plan {
  readonly index: number;
  readonly value: number;
  readonly lowestBufferSeconds: number;
  readonly stallSeconds: number;
}

export const nuwa = {
  name: "nuwa",
  title: "NuwaRule",
  summary: "Looks a few segments ahead with the receiver's estimate, the queueing delay and the buffer.",
  decide: chooseRepresentation,
  abandon: chooseAbandon,
} as const satisfies OwnRule;

/** The rung to fetch next. */
export function chooseRepresentation(input: RuleContext): Choice {
  const { outlook, currentIndex } = input;
  if (outlook === null) {
    return { index: currentIndex ?? 0, reason: reason(input, "no estimate yet", null, null) };
  }
  const safety = safetyFactor(input, outlook);
  const plans = input.ladderBitsPerSecond.map((_bitsPerSecond, index) =>
    evaluate(input, outlook, safety, index),
  );
  const best = plans.reduce((a, b) => (b.value > a.value ? b : a));
  const staying = currentIndex === null ? undefined : plans[currentIndex];
  if (staying !== undefined && best.index > staying.index && staying.stallSeconds === 0) {
    const present = input.ladderBitsPerSecond[staying.index] ?? 0;
    const gainNeeded = UPWARD_HYSTERESIS * present * input.segmentSeconds * HORIZON_SEGMENTS;
    if (best.value - staying.value < gainNeeded) {
      return { index: staying.index, reason: reason(input, "hysteresis", safety, staying) };
    }
  }
  return { index: best.index, reason: reason(input, "plan", safety, best) };
}

/**
 * Share of the predicted rate to count on: 1 on a steady link with a full buffer; less the more the capacity has
 * varied, the emptier the buffer, and while the queue stands above its target, which says that the rate has just fallen.
 */
export function safetyFactor(
  input: Pick<
    RuleContext,
    "bufferSeconds" | "bufferTargetSeconds" | "queueingDelaySeconds" | "targetDelaySeconds"
  >,
  outlook: BandwidthOutlook,
): number {
  const fullness = Math.min(1, input.bufferSeconds / input.bufferTargetSeconds);
  const caution = Math.min(0.5, outlook.variation * (0.6 - 0.4 * fullness));
  const target = input.targetDelaySeconds;
  const excess = target === null ? 0 : Math.max(0, input.queueingDelaySeconds / target - 2);
  const queueShare = 1 / (1 + 0.1 * excess);
  return Math.max(0.2, (0.97 - caution) * queueShare);
}

/** Plays a plan forward: quality, changes, stalls and the buffer that it leaves, in bits of quality. */
function evaluate(input: RuleContext, outlook: BandwidthOutlook, safety: number, index: number): Plan {
  const { ladderBitsPerSecond: ladder, segmentSeconds, bufferTargetSeconds } = input;
  const highest = ladder.at(-1) ?? 0;
  const bitsPerSecond = ladder[index] ?? 0;
  let previous = input.currentIndex === null ? null : (ladder[input.currentIndex] ?? null);
  let buffer = input.bufferSeconds;
  let ahead = 0;
  let stall = 0;
  let shortfall = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let value = 0;
  for (let segment = 0; segment < HORIZON_SEGMENTS; segment++) {
    const seconds = input.roundTripSeconds + downloadSeconds(input, outlook, safety, bitsPerSecond, ahead);
    ahead += seconds;
    stall += Math.max(0, seconds - buffer);
    buffer = Math.max(0, buffer - seconds);
    lowest = Math.min(lowest, buffer);
    shortfall += Math.max(0, RESERVE_SECONDS - buffer);
    buffer += segmentSeconds;
    const excess = Math.max(0, buffer - bufferTargetSeconds);
    buffer -= excess;
    ahead += excess;
    value += bitsPerSecond * segmentSeconds;
    if (previous !== null) {
      value -= SWITCH_COST * Math.abs(bitsPerSecond - previous) * segmentSeconds;
    }
    previous = bitsPerSecond;
  }
  value -= STALL_COST * highest * stall + RESERVE_COST * highest * shortfall;
  value += BUFFER_WORTH * Math.min(highest, safety * outlook.sustainedBitsPerSecond) * buffer;
  return { index, value, lowestBufferSeconds: lowest, stallSeconds: stall };
}

/** Time to fetch a segment that begins `aheadSeconds` from now, as the rate changes underway. */
function downloadSeconds(
  input: RuleContext,
  outlook: BandwidthOutlook,
  safety: number,
  bitsPerSecond: number,
  aheadSeconds: number,
): number {
  const bits = (bitsPerSecond + input.otherBitsPerSecond) * input.segmentSeconds;
  const atStart = safety * predictedBitsPerSecond(outlook, aheadSeconds);
  const midway = aheadSeconds + Math.min(10, bits / atStart) / 2;
  return bits / (safety * predictedBitsPerSecond(outlook, midway));
}

function reason(
  input: RuleContext,
  why: NuwaRuleReason["why"],
  safety: number | null,
  plan: Plan | null,
): NuwaRuleReason {
  return {
    why,
    bufferSeconds: input.bufferSeconds,
    bandwidthBitsPerSecond: input.outlook?.nowBitsPerSecond ?? null,
    sustainedBitsPerSecond: input.outlook?.sustainedBitsPerSecond ?? null,
    variation: input.outlook?.variation ?? null,
    safety,
    queueingDelaySeconds: input.queueingDelaySeconds,
    predictedBufferSeconds: plan?.lowestBufferSeconds ?? null,
    predictedStallSeconds: plan?.stallSeconds ?? null,
  };
}
