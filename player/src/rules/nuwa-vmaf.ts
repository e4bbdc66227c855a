/** NuwaRule with VMAF as its objective: what each segment gains in each rung, as it was measured. */

import { makeNuwaRule } from "./nuwa.ts";
import { nuwaLog } from "./nuwa-log.ts";
import { NUWA_PARAMETERS } from "./nuwa-parameters.ts";
import { VMAF } from "./objective.ts";
import type { OwnRule } from "./rule.ts";

const known = makeNuwaRule(VMAF, NUWA_PARAMETERS);
const UNKNOWN = "no VMAF of this film: QoE_log";

export const nuwaVmaf = {
  name: "nuwa-vmaf",
  title: "NuwaRule, VMAF",
  summary:
    "NuwaRule that plans for each segment's VMAF where the film has quality.json, and else for QoE_log.",
  readsVmaf: true,
  decide: (context) => {
    if (context.segmentVmaf !== null) return known.decide(context);
    const { index, reason } = nuwaLog.decide(context);
    return { index, reason: { ...reason, why: `${reason.why}; ${UNKNOWN}` } };
  },
  abandon: (context) => (context.segmentVmaf === null ? nuwaLog.abandon(context) : known.abandon(context)),
} as const satisfies OwnRule;
