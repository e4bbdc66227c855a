/** The adaptation rules that a viewer can choose; pure, read by the server, the page, the library and the player. */

import * as own from "./own.ts";
import type { OwnRule } from "./rule.ts";

/** dash.js's own rules, by their names under `streaming.abr.rules`. */
export const DASHJS_RULES = [
  "throughputRule",
  "bolaRule",
  "insufficientBufferRule",
  "switchHistoryRule",
  "droppedFramesRule",
  "abandonRequestsRule",
  "l2ARule",
  "loLPRule",
] as const;
export type DashjsRule = (typeof DASHJS_RULES)[number];

/** A choice among dash.js's own rules. */
export interface DashjsChoice extends Pick<OwnRule, "name" | "title" | "summary"> {
  /** The rules that are switched on; all others are off. */
  readonly dashjsRules: readonly DashjsRule[];
}

export type RuleChoice = OwnRule | DashjsChoice;

const SAFEGUARDS = ["insufficientBufferRule", "switchHistoryRule", "abandonRequestsRule"] as const;

const DASHJS_CHOICES = [
  {
    name: "dynamic",
    title: "dash.js dynamic",
    summary: "Throughput while the buffer is short, BOLA when it is long: the default of dash.js.",
    dashjsRules: ["throughputRule", "bolaRule", ...SAFEGUARDS],
  },
  {
    name: "throughput",
    title: "dash.js throughput",
    summary: "The best bitrate below the average throughput.",
    dashjsRules: ["throughputRule", ...SAFEGUARDS],
  },
  {
    name: "bola",
    title: "BOLA",
    summary: "Chooses by the buffer's level (Spiteri et al., INFOCOM 2016).",
    dashjsRules: ["bolaRule", ...SAFEGUARDS],
  },
  {
    name: "l2a",
    title: "L2A",
    summary: "Online learning for low latency (Karagkioules et al., MMSys 2020), here on a film.",
    dashjsRules: ["l2ARule"],
  },
  {
    name: "lolp",
    title: "LoL+",
    summary: "Self-organising map for low latency (Bentaleb et al., 2022), here on a film.",
    dashjsRules: ["loLPRule"],
  },
] as const satisfies readonly DashjsChoice[];

export type RuleName = (typeof own)[keyof typeof own]["name"] | (typeof DASHJS_CHOICES)[number]["name"];

export const RULES: readonly (RuleChoice & { readonly name: RuleName })[] = [
  own.nuwa, // first in menus: the rule that the system stands for
  ...Object.values(own).filter((rule) => rule !== own.nuwa),
  ...DASHJS_CHOICES,
];

/** Whether a name, of a query or a configuration, is one of RULES. */
export function isRuleName(name: string): name is RuleName {
  return RULES.some((rule) => rule.name === name);
}

/** Whether the rule is one of this project. */
export function isOwnRule(rule: RuleChoice): rule is OwnRule {
  return "decide" in rule;
}
