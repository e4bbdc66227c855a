/** NuwaRule's plan: the receiver's forecast, its likely errors and the film's sizes as an input of the dynamic programme. */

import type { BandwidthOutlook } from "./bandwidth-outlook.ts";
import { predictedBitsPerSecond } from "./bandwidth-outlook.ts";
import { downloadSeconds, type Scenario } from "./download-errors.ts";
import {
  type NuwaParameters,
  reserveCostPerSecond,
  weightedChangeCosts,
  weightedStallCostPerSecond,
} from "./nuwa-parameters.ts";
import type { Objective } from "./objective.ts";
import type { PlanInput } from "./plan.ts";
import type { RuleContext } from "./rule.ts";
import { bitsAhead } from "./segment-sizes.ts";

/** A queue above its target says that the rate has just fallen: by this much less is counted on, for each target of excess. */
const QUEUE_WEIGHT = 0.1;
/** Beside a smaller target, such as Kuafu's on a steady link, any queue would be an excess: of three packets, or of noise. */
const LEAST_TARGET_SECONDS = 0.02;

export function planInput(
  context: RuleContext,
  outlook: BandwidthOutlook,
  likely: readonly Scenario[],
  parameters: NuwaParameters,
  objective: Objective,
): PlanInput {
  const { segmentSeconds, reachableBufferSeconds, currentIndex } = context;
  const steps = Math.max(1, Math.min(parameters.horizonSegments, context.remainingSegments ?? Infinity));
  const stallCost = weightedStallCostPerSecond(objective, parameters, segmentSeconds);
  const quality = objective.qualities(context, steps);
  const isLastPlan = context.remainingSegments !== null && context.remainingSegments <= steps;
  return {
    quality,
    downloadSeconds: likely.map(({ logError }) => timesIn(context, outlook, logError, parameters, steps)),
    scenarioWeights: likely.map(({ weight }) => weight),
    segmentSeconds,
    bufferSeconds: context.bufferSeconds,
    reachableBufferSeconds,
    previousQuality: currentIndex === null ? null : objective.qualityBefore(currentIndex, context),
    stallCostPerSecond: stallCost,
    ...weightedChangeCosts(objective, parameters),
    reserveSeconds: reserveSeconds(context, parameters),
    reserveCostPerSecond: reserveCostPerSecond(objective, parameters),
    endWorth: isLastPlan ? () => 0 : endWorth(context, outlook, parameters, objective),
  };
}

/** Seconds to fetch each rung in each step, where the forecast is off by `logError`. */
function timesIn(
  context: RuleContext,
  outlook: BandwidthOutlook,
  logError: number,
  parameters: NuwaParameters,
  steps: number,
): number[][] {
  const { segmentSeconds, roundTripSeconds, otherBitsPerSecond, ladderBitsPerSecond } = context;
  const other = otherBitsPerSecond * segmentSeconds;
  const queue = queueShare(context);
  return Array.from({ length: steps }, (_, step) => {
    const factor = Math.exp(-logError * parameters.errorPersistence ** step) / (step === 0 ? queue : 1);
    return ladderBitsPerSecond.map((_, rung) => {
      const size = bitsAhead(context, rung, step) + other;
      const ahead = step * segmentSeconds;
      return roundTripSeconds + factor * downloadSeconds(outlook, size, ahead, parameters.relaxationSeconds);
    });
  });
}

/** 1 while the queue is no longer than twice its target. */
function queueShare({ queueingDelaySeconds, targetDelaySeconds }: RuleContext): number {
  if (targetDelaySeconds === null) return 1;
  const target = Math.max(targetDelaySeconds, LEAST_TARGET_SECONDS);
  return 1 / (1 + QUEUE_WEIGHT * Math.max(0, queueingDelaySeconds / target - 2));
}

/** A second of buffer lets a second more be fetched; the fuller it is, the less can be done with more. */
function endWorth(
  context: RuleContext,
  outlook: BandwidthOutlook,
  { endWeight, relaxationSeconds, horizonSegments }: NuwaParameters,
  objective: Objective,
): PlanInput["endWorth"] {
  const { ladderBitsPerSecond: ladder, segmentSeconds } = context;
  const [lowest = 1, highest = 1] = [ladder[0], ladder.at(-1)];
  const ahead = predictedBitsPerSecond(outlook, horizonSegments * segmentSeconds, relaxationSeconds);
  const sustained = objective.qualityAt(Math.min(highest, Math.max(lowest, ahead)), context);
  const scale = (reachableBelowTop(context) + segmentSeconds) / 2;
  return (buffer) => (endWeight * sustained * scale * (1 - Math.exp(-buffer / scale))) / segmentSeconds;
}

/** Of long segments even a fast one takes much of a short buffer: no more than is left when it took half of its length. */
function reserveSeconds(context: RuleContext, { reserveShare }: NuwaParameters): number {
  const reachable = reachableBelowTop(context);
  return Math.max(0, Math.min(reserveShare * reachable, reachable - context.segmentSeconds / 2));
}

/** The top rung has a longer buffer only once it is reached. */
function reachableBelowTop({ reachableBufferSeconds: [lowest = 0] }: RuleContext): number {
  return lowest;
}
