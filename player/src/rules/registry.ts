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
  /** What they are told of the session's estimates. */
  readonly throughput: ThroughputKind;
}

/**
 * A rule that asks for what the throughput carries is told a mean over some downloads: of one instant it would take every
 * flicker for the next download's rate. Where BOLA goes by the buffer, the newest estimate tells sooner what the link has.
 */
export type ThroughputKind = "mean" | "newest";

export type RuleChoice = OwnRule | DashjsChoice;

const SAFEGUARDS = ["insufficientBufferRule", "switchHistoryRule", "abandonRequestsRule"] as const;

const DASHJS_CHOICES = [
  {
    name: "dynamic",
    title: "dash.js dynamic",
    summary: "Throughput while the buffer is short, BOLA when it is long: the default of dash.js.",
    dashjsRules: ["throughputRule", "bolaRule", ...SAFEGUARDS],
    throughput: "newest",
  },
  {
    name: "throughput",
    title: "dash.js throughput",
    summary: "The best bitrate below the average throughput.",
    dashjsRules: ["throughputRule", ...SAFEGUARDS],
    throughput: "mean",
  },
  {
    name: "bola",
    title: "BOLA",
    summary: "Chooses by the buffer's level (Spiteri et al., INFOCOM 2016).",
    dashjsRules: ["bolaRule", ...SAFEGUARDS],
    throughput: "newest",
  },
  {
    name: "l2a",
    title: "L2A",
    summary:
      "Online learning for low latency, as dash.js has ported it (after Karagkioules et al., MMSys 2020).",
    dashjsRules: ["l2ARule"],
    throughput: "newest",
  },
  {
    name: "lolp",
    title: "LoL+",
    summary: "Self-organising map for low latency (Bentaleb et al., 2022), here on a film.",
    dashjsRules: ["loLPRule"],
    throughput: "newest",
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

/** What dash.js's rules are told under a choice; under the player's own rules (null) as under dash.js's default. */
export function throughputKindOf(rule: RuleChoice | null): ThroughputKind {
  return rule === null || isOwnRule(rule) ? "newest" : rule.throughput;
}

/** Whether the rule is one of this project. */
export function isOwnRule(rule: RuleChoice): rule is OwnRule {
  return "decide" in rule;
}
