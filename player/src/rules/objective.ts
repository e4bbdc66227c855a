/** What a plan is to earn. Pure. */

import { REBUFFER_PENALTY } from "../qoe/linear-qoe.ts";

export interface Objective {
  /** Of a segment of this bitrate, in a film whose lowest is the other. */
  readonly quality: (bitsPerSecond: number, lowestBitsPerSecond: number) => number;
  readonly stallCostPerSecond: number;
}

/** QoE_lin: Mbit/s (Mao et al., SIGCOMM 2017, table 1). */
export const LINEAR: Objective = {
  quality: (bitsPerSecond) => bitsPerSecond / 1e6,
  stallCostPerSecond: REBUFFER_PENALTY,
};

/** QoE_log: the logarithm over the lowest bitrate (the same table, after BOLA's utility). */
export const LOGARITHMIC: Objective = {
  quality: (bitsPerSecond, lowestBitsPerSecond) => Math.log(bitsPerSecond / lowestBitsPerSecond),
  stallCostPerSecond: 2.66,
};
