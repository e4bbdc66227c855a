/** NuwaRule with QoE_log as its objective: a doubling of the bitrate is worth the same at every rung. */

import { makeNuwaRule } from "./nuwa.ts";
import { NUWA_PARAMETERS } from "./nuwa-parameters.ts";
import { LOGARITHMIC } from "./objective.ts";
import type { OwnRule } from "./rule.ts";

export const nuwaLog = {
  name: "nuwa-log",
  title: "NuwaRule, QoE_log",
  summary: "NuwaRule that plans for the logarithm of the bitrate, where the last megabits are worth little.",
  ...makeNuwaRule(LOGARITHMIC, NUWA_PARAMETERS),
} as const satisfies OwnRule;
