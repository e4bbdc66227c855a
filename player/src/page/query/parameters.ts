/** What the address of the pages of one film and of two may say: all of its parameters. Pure. */

import type { SegmentTransport } from "../../dash/player-settings.ts";
import { ESTIMATORS } from "../../library/estimators.ts";
import { CONTROL_RANGES } from "../../options/control-numbers.ts";

/** Least and most. */
export type Range = readonly [least: number, most: number];

export interface Parameter {
  /** The names or numbers that it takes, or what they are where the server knows them. */
  readonly values: readonly string[] | Range | string;
  /** What holds without it. */
  readonly otherwise: string;
  readonly meaning: string;
  /** Side by side: each film's own, with `left_` or `right_` before it, both films', or not there. */
  readonly sideBySide: "each film" | "both films" | "no";
}

const FLAG = ["0", "1"] as const;
const TRANSPORTS = ["webtransport", "http"] as const satisfies readonly SegmentTransport[];

export const PARAMETERS = {
  scheme: {
    values: "a name",
    otherwise: "the server's",
    meaning: "congestion control",
    sideBySide: "each film",
  },
  preset: {
    values: "a name",
    otherwise: "the server's",
    meaning: "the receiver's target delay, and more",
    sideBySide: "each film",
  },
  rule: {
    values: "a name",
    otherwise: "the server's",
    meaning: "what chooses the bitrate",
    sideBySide: "each film",
  },
  estimator: {
    values: ESTIMATORS,
    otherwise: "receiver",
    meaning: "whose estimate the rule goes by",
    sideBySide: "each film",
  },
  k: {
    values: CONTROL_RANGES.k,
    otherwise: "the preset's",
    meaning: "the receiver's aggressiveness",
    sideBySide: "each film",
  },
  target_delay_ms: {
    values: CONTROL_RANGES.targetDelayMs,
    otherwise: "the preset's",
    meaning: "the queueing delay that the receiver holds",
    sideBySide: "each film",
  },
  transport: {
    values: TRANSPORTS,
    otherwise: "webtransport",
    meaning: "http leaves dash.js's own loader and estimate: the baseline",
    sideBySide: "both films",
  },
  film: {
    values: "a name",
    otherwise: "the first of the menu",
    meaning: "the film",
    sideBySide: "both films",
  },
  buffer_s: {
    values: [2, 120],
    otherwise: "the player's",
    meaning: "where the player stops fetching",
    sideBySide: "both films",
  },
  autoplay: {
    values: FLAG,
    otherwise: "1",
    meaning: "whether the film starts by itself",
    sideBySide: "both films",
  },
  muted: {
    values: FLAG,
    otherwise: "0",
    meaning: "whether it has no sound",
    sideBySide: "both films",
  },
  loop: {
    values: FLAG,
    otherwise: "0",
    meaning: "whether it begins again at its end",
    sideBySide: "no",
  },
  quality_kbit: {
    values: [1, 1_000_000],
    otherwise: "the rule's choice",
    meaning: "the rung nearest to that bitrate is held",
    sideBySide: "each film",
  },
  captions: {
    values: "a language",
    otherwise: "none",
    meaning: "captions",
    sideBySide: "both films",
  },
  sound: {
    values: "a language",
    otherwise: "the player's choice",
    meaning: "the sound track",
    sideBySide: "both films",
  },
  link: {
    values: "a name, a rate or none",
    otherwise: "as it is",
    meaning: "the emulated link, which is the server's: every page sees it change within 3 s",
    sideBySide: "both films",
  },
  link_delay_ms: {
    values: "a number",
    otherwise: "the server's",
    meaning: "the link's delay each way, beside `link`",
    sideBySide: "both films",
  },
  link_queue_packets: {
    values: "a whole number",
    otherwise: "the server's",
    meaning: "the link's queue, beside `link`",
    sideBySide: "both films",
  },
  link_loss_percent: {
    values: "a number",
    otherwise: "the server's",
    meaning: "what the link loses, beside `link`",
    sideBySide: "both films",
  },
  charts: {
    values: FLAG,
    otherwise: "1",
    meaning: "whether there are charts",
    sideBySide: "both films",
  },
  telemetry: {
    values: FLAG,
    otherwise: "1",
    meaning: "0 reports nothing, as with Global Privacy Control; links keep it",
    sideBySide: "both films",
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export type ParameterName = keyof typeof PARAMETERS;

/** Those whose values are 0 and 1. */
export type FlagName = {
  [Name in ParameterName]: (typeof PARAMETERS)[Name]["values"] extends typeof FLAG ? Name : never;
}[ParameterName];

const NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];

const namesThat = (sideBySide: Parameter["sideBySide"]) =>
  NAMES.filter((name) => PARAMETERS[name].sideBySide === sideBySide);

/** Side by side each film has its own of these. */
export const OF_EACH_FILM = namesThat("each film");
/** And one for both of these. */
export const OF_BOTH_FILMS = namesThat("both films");

export interface UnknownParameters {
  readonly names: readonly string[];
  /** Those that there are. */
  readonly known: readonly string[];
}

/** Names in the query of one film that mean nothing; null where there are none. */
export function unknownParameters(query: URLSearchParams): UnknownParameters | null {
  return unknownTo(query, NAMES);
}

/** Names in the query that are not known. */
export function unknownTo(query: URLSearchParams, known: readonly string[]): UnknownParameters | null {
  const names = [...new Set(query.keys())].filter((name) => !known.includes(name));
  return names.length === 0 ? null : { names, known };
}

/** What a query says, or is to say no more. */
export type PageQuery = { readonly [Name in ParameterName]?: string | number | null };

/** The query with these values beside whatever else it says; without those that are null. */
export function withValues(query: URLSearchParams, values: PageQuery): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) {
      next.delete(name);
    } else {
      next.set(name, String(value));
    }
  }
  return next;
}
