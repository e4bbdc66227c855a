/** The adaptation rules that a viewer can choose; pure data, read by the server, the page and the player. */

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

export interface RuleChoice {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The rules of dash.js that are switched on; with none, the choice is a custom rule (dash/custom-rules.ts). */
  readonly dashjsRules: readonly DashjsRule[];
}

const SAFEGUARDS = ["insufficientBufferRule", "switchHistoryRule", "abandonRequestsRule"] as const;

export const RULES = [
  {
    name: "nuwa",
    title: "NuwaRule",
    summary: "Looks a few segments ahead with the receiver's estimate, the queueing delay and the buffer.",
    dashjsRules: [],
  },
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
] as const satisfies readonly RuleChoice[];

export type RuleName = (typeof RULES)[number]["name"];

/** Whether a name, of a query or a configuration, is one of RULES. */
export function isRuleName(name: string): name is RuleName {
  return RULES.some((rule) => rule.name === name);
}
