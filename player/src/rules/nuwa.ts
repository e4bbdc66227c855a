/**
 * NuwaRule: which bitrate to fetch next, from the receiver's estimate of the network together with the buffer.
 *
 * A look-ahead in the manner of MPC (Yin et al., SIGCOMM 2015) that plans over a distribution of download times, as Fugu
 * does (Yan et al., NSDI 2020). The forecast begins at what was delivered in the last second and relaxes towards what was
 * sustained. Its likely errors are those that it made in this film, with what is usual on a link that varies like this
 * one. In each of five scenarios the rest of the plan may change rung; the rung that earns most in the mean is fetched.
 *
 * Pure: no clock, nothing of dash.js. Seconds, bits per second.
 */

import { scenarios } from "./download-errors.ts";
import { makeAbandon } from "./nuwa-abandon.ts";
import { NUWA_PARAMETERS, type NuwaParameters } from "./nuwa-parameters.ts";
import { planInput } from "./nuwa-plan.ts";
import { LINEAR, type Objective } from "./objective.ts";
import { type PlannedRung, planRungs } from "./plan.ts";
import type { Decision, OwnRule, RuleContext } from "./rule.ts";

/** Why: the numbers that decided. */
type NuwaRuleReason = {
  readonly why: "no estimate yet" | "plan";
  readonly bufferSeconds: number;
  readonly bandwidthBitsPerSecond: number | null;
  readonly sustainedBitsPerSecond: number | null;
  readonly variation: number | null;
  /** Share of the forecast that the cautious scenario counts on. */
  readonly safety: number | null;
  readonly queueingDelaySeconds: number;
  readonly predictedBufferSeconds: number | null;
  readonly predictedStallSeconds: number | null;
};

/** The rule for an objective. */
export function makeNuwaRule(
  objective: Objective,
  parameters: NuwaParameters,
): Required<Pick<OwnRule, "decide" | "abandon">> {
  return {
    decide: (context) => choose(context, objective, parameters),
    abandon: makeAbandon(objective, parameters),
  };
}

export const nuwa = {
  name: "nuwa",
  title: "NuwaRule",
  summary:
    "Plans a few segments ahead with the receiver's estimate, its likely errors, the queue and the buffer.",
  ...makeNuwaRule(LINEAR, NUWA_PARAMETERS),
} as const satisfies OwnRule;

function choose(context: RuleContext, objective: Objective, parameters: NuwaParameters): Decision {
  const { outlook, currentIndex } = context;
  if (outlook === null) {
    return { index: currentIndex ?? 0, reason: reason(context, "no estimate yet", null, null) };
  }
  const likely = scenarios(outlook, context.pastDownloads, parameters);
  const planned = planRungs(planInput(context, outlook, likely, parameters, objective));
  let index = 0;
  planned.forEach(({ worth }, rung) => {
    if (worth > (planned[index]?.worth ?? Number.NEGATIVE_INFINITY)) index = rung;
  });
  const safety = Math.exp(likely[1]?.logError ?? 0);
  return { index, reason: reason(context, "plan", safety, planned[index] ?? null) };
}

function reason(
  { bufferSeconds, outlook, queueingDelaySeconds }: RuleContext,
  why: NuwaRuleReason["why"],
  safety: number | null,
  plan: PlannedRung | null,
): NuwaRuleReason {
  return {
    why,
    bufferSeconds,
    bandwidthBitsPerSecond: outlook?.recentBitsPerSecond ?? null,
    sustainedBitsPerSecond: outlook?.sustainedBitsPerSecond ?? null,
    variation: outlook?.variation ?? null,
    safety,
    queueingDelaySeconds,
    predictedBufferSeconds: plan?.bufferAfterSeconds ?? null,
    predictedStallSeconds: plan?.stallSeconds ?? null,
  };
}
