/** Whether to give up a download that will stall the film, and what to fetch instead. Pure: seconds, bits. */

import { predictedBitsPerSecond } from "./bandwidth-outlook.ts";
import { scenarios } from "./download-errors.ts";
import { type NuwaParameters, weightedChangeCosts, weightedStallCostPerSecond } from "./nuwa-parameters.ts";
import type { Objective } from "./objective.ts";
import type { DownloadContext, OwnRule } from "./rule.ts";
import { bitsAhead } from "./segment-sizes.ts";

/** Nothing is given up before this time: the estimate must have seen the fall. */
const LEAST_ELAPSED_SECONDS = 0.5;
/** The replacement must cost less than this share of what is still missing: half-fetched data is lost. */
const WORTHWHILE_SHARE = 0.8;
/** Silence is no news for this long; after it, the rate that is counted on falls with the time. */
const QUIET_SECONDS = 0.3;

/** Asks for the rung that costs least, counting stalls, quality and the change of it. */
export function makeAbandon(
  objective: Objective,
  parameters: NuwaParameters,
): NonNullable<OwnRule["abandon"]> {
  return (context) => chooseAbandon(context, objective, parameters);
}

function chooseAbandon(context: DownloadContext, objective: Objective, parameters: NuwaParameters) {
  const { outlook, index: present, bufferSeconds } = context;
  if (outlook === null || present === 0 || context.elapsedSeconds < LEAST_ELAPSED_SECONDS) {
    return null;
  }
  const expectedBits = bitsAhead(context, present, 0);
  const totalBits = context.totalBytes === null ? expectedBits : 8 * context.totalBytes;
  const missingBits = totalBits - 8 * context.loadedBytes;
  if (missingBits <= 0) {
    return null;
  }
  const share = QUIET_SECONDS / Math.max(QUIET_SECONDS, context.silentSeconds);
  const forecast =
    share *
    predictedBitsPerSecond(
      outlook,
      Math.min(bufferSeconds, context.segmentSeconds),
      parameters.relaxationSeconds,
    );
  const likely = scenarios(outlook, context.pastDownloads, parameters);
  const stallCost = weightedStallCostPerSecond(objective, parameters, context.segmentSeconds);
  const [qualities = []] = objective.qualities(context, 1);
  const quality = (rung: number): number => qualities[rung] ?? 0;
  const previous =
    context.previousIndex === null ? null : objective.qualityBefore(context.previousIndex, context);
  const { riseCost, fallCost } = weightedChangeCosts(objective, parameters);
  const stallSeconds = (bits: number, latencySeconds: number): number =>
    likely.reduce(
      (sum, { logError, weight }) =>
        sum + weight * Math.max(0, latencySeconds + bits / (forecast * Math.exp(logError)) - bufferSeconds),
      0,
    );
  const changeCost = (rung: number): number => {
    const change = quality(rung) - (previous ?? quality(present));
    return change > 0 ? riseCost * change : -fallCost * change;
  };
  // That the replacement may be nearer to the segment before it is no reason: the rung was chosen with that in view.
  const worth = (rung: number, stall: number): number =>
    quality(rung) - Math.max(0, changeCost(rung) - changeCost(present)) - stallCost * stall;
  const stallIfKept = stallSeconds(missingBits, 0);
  let best: { index: number; worth: number; bits: number } | null = null;
  for (let index = present - 1; index >= 0; index--) {
    // The segment's own size, scaled to the rung, knows how hard this scene is to encode.
    const bits = bitsAhead(context, index, 0) * (totalBits / expectedBits);
    if (bits > WORTHWHILE_SHARE * missingBits) continue;
    const own = worth(index, stallSeconds(bits, context.roundTripSeconds));
    if (best === null || own > best.worth) best = { index, worth: own, bits };
  }
  if (best === null || best.worth <= worth(present, stallIfKept)) {
    return null;
  }
  return {
    index: best.index,
    reason: {
      why: "download would stall",
      bufferSeconds,
      silentSeconds: context.silentSeconds,
      remainingSeconds: missingBits / forecast,
      replacementSeconds: context.roundTripSeconds + best.bits / forecast,
      bandwidthBitsPerSecond: outlook.nowBitsPerSecond,
    },
  };
}
