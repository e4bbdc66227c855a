/** What a plan is to earn. Pure. */

import { REBUFFER_PENALTY } from "../qoe/linear-qoe.ts";
import type { RuleContext } from "./rule.ts";

/** What an objective looks at of a film. */
export type Ladder = Pick<RuleContext, "ladderBitsPerSecond" | "segmentVmaf" | "previousVmaf">;

export interface Objective {
  /** Of the next segments: by step from now on, then by rung. */
  readonly qualities: (ladder: Ladder, steps: number) => readonly (readonly number[])[];
  /** Of a rate between the lowest rung's and the highest's. */
  readonly qualityAt: (bitsPerSecond: number, ladder: Ladder) => number;
  /** Of the segment before, in a rung. */
  readonly qualityBefore: (rung: number, ladder: Ladder) => number;
  readonly stallCostPerSecond: number;
  /** Of a unit of quality that a segment has more than the one before it, and less. Below 0 a change is a gain. */
  readonly riseCost: number;
  readonly fallCost: number;
}

/** QoE_lin: Mbit/s (Mao et al., SIGCOMM 2017, table 1). */
export const LINEAR: Objective = byBitrate(REBUFFER_PENALTY, (bitsPerSecond) => bitsPerSecond / 1e6);

/** QoE_log: the logarithm over the lowest bitrate (the same table, after BOLA's utility). */
export const LOGARITHMIC: Objective = byBitrate(2.66, (bitsPerSecond, lowestBitsPerSecond) =>
  Math.log(bitsPerSecond / lowestBitsPerSecond),
);

/**
 * Weights of QoE by VMAF (Comyco, Huang et al., MM 2019, equation 2 and section 5.1): of a segment's VMAF, a second of stall, a
 * rise and a fall. The others are taken in points of VMAF.
 */
const OF_VMAF = 0.8469;
const [OF_STALL, OF_RISE, OF_FALL] = [28.7959 / OF_VMAF, 0.2979 / OF_VMAF, 1.061 / OF_VMAF];

/** VMAF of each segment; of a rate, by the logarithm between its neighbours in the ladder. Only where VMAF is known. */
export const VMAF: Objective = {
  qualities: ({ segmentVmaf }, steps) =>
    Array.from({ length: steps }, (_, step) => vmafOf(segmentVmaf ?? [], step)),
  qualityAt: (bitsPerSecond, { ladderBitsPerSecond: ladder, segmentVmaf }) => {
    const vmaf = vmafOf(segmentVmaf ?? [], 0);
    const above = ladder.findIndex((rung) => rung >= bitsPerSecond);
    if (above === -1) return vmaf.at(-1) ?? 0;
    const [low, high] = [ladder[above - 1] ?? 0, ladder[above] ?? 0];
    const [from, to] = [vmaf[above - 1] ?? vmaf[above] ?? 0, vmaf[above] ?? 0];
    return low >= high || low === 0
      ? to
      : from + ((to - from) * Math.log(bitsPerSecond / low)) / Math.log(high / low);
  },
  // Where it is not known, it looked as the next one does.
  qualityBefore: (rung, { segmentVmaf, previousVmaf }) =>
    previousVmaf ?? vmafOf(segmentVmaf ?? [], 0)[rung] ?? 0,
  stallCostPerSecond: OF_STALL,
  riseCost: -OF_RISE,
  fallCost: OF_FALL,
};

function byBitrate(
  stallCostPerSecond: number,
  quality: (bitsPerSecond: number, lowestBitsPerSecond: number) => number,
): Objective {
  const lowest = ({ ladderBitsPerSecond }: Ladder): number => ladderBitsPerSecond[0] ?? 1;
  return {
    qualities: (ladder, steps) => {
      const own = ladder.ladderBitsPerSecond.map((rung) => quality(rung, lowest(ladder)));
      return Array.from({ length: steps }, () => own);
    },
    qualityAt: (bitsPerSecond, ladder) => quality(bitsPerSecond, lowest(ladder)),
    qualityBefore: (rung, ladder) => quality(ladder.ladderBitsPerSecond[rung] ?? 0, lowest(ladder)),
    stallCostPerSecond,
    riseCost: 1,
    fallCost: 1,
  };
}

/** Of each rung; the last segment that is known stands for all after it. */
function vmafOf(segmentVmaf: readonly (readonly number[])[], step: number): readonly number[] {
  return segmentVmaf.map((vmaf) => vmaf[step] ?? vmaf.at(-1) ?? 0);
}
