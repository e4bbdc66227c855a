/** What NuwaRule weighs by. Chosen by `npm run bench -- rule-search` on training links; README.md of this folder says how. */

import type { ErrorParameters } from "./download-errors.ts";
import type { Objective } from "./objective.ts";

export interface NuwaParameters extends ErrorParameters {
  /** Segments of a plan. */
  readonly horizonSegments: number;
  /** How much of a scenario's error is left a segment later: 1 for a link that stays as wrong as it was. */
  readonly errorPersistence: number;
  /** Costs as multiples of the objective's own. */
  readonly stallWeight: number;
  readonly switchWeight: number;
  /** Buffer that a plan should keep, as a share of what can be buffered when it asks, and the cost of lacking it, in stalls. */
  readonly reserveShare: number;
  readonly reserveWeight: number;
  /** Worth of the buffer when the plan ends, as a share of what it lets be fetched at the rate that is sustained. */
  readonly endWeight: number;
}

export const NUWA_PARAMETERS: NuwaParameters = {
  horizonSegments: 6,
  relaxationSeconds: 4,
  steadySpread: 0.125,
  spreadPerVariation: 0.7,
  usualWeight: 5,
  errorPersistence: 1,
  stallWeight: 3,
  switchWeight: 1.4,
  reserveShare: 0.9,
  reserveWeight: 0.015,
  endWeight: 0.1,
};

/** What NuwaRule takes a second of stalling to cost: films of long segments have fewer of them to make up for it. */
export function weightedStallCostPerSecond(
  objective: Objective,
  parameters: NuwaParameters,
  segmentSeconds: number,
): number {
  return objective.stallCostPerSecond * parameters.stallWeight * Math.max(1, segmentSeconds / 2);
}

/** What NuwaRule takes a unit of changed quality to cost; what a change gains it takes for no more than it is. */
export function weightedChangeCosts(
  { riseCost, fallCost }: Objective,
  { switchWeight }: NuwaParameters,
): Pick<Objective, "riseCost" | "fallCost"> {
  const weighted = (cost: number): number => (cost > 0 ? switchWeight * cost : cost);
  return { riseCost: weighted(riseCost), fallCost: weighted(fallCost) };
}

/** What a second without any reserve costs, whatever the segments' length: of a long one it is lacking while it comes. */
export function reserveCostPerSecond(objective: Objective, parameters: NuwaParameters): number {
  return parameters.reserveWeight * parameters.stallWeight * objective.stallCostPerSecond;
}
