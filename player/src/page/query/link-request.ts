/** What a viewer asks of the emulated link, by the form or the query, as `PUT /api/link` takes it. Pure. */

import type { LinkLimits, LinkState, Range } from "../../options/server-config.ts";

export interface LinkRequest {
  /** `none`, a name in the catalogue, or a rate such as `24mbit`. */
  readonly name: string;
  readonly delayMs?: number;
  readonly queuePackets?: number;
  readonly lossRatio?: number;
}

/** Entries of the form as their text stands in it; an empty one leaves the choice to the server. */
export interface LinkForm {
  readonly name: string;
  /** Of a link with one rate; empty where the rate changes. */
  readonly megabitsPerSecond: string;
  readonly delayMs: string;
  readonly queuePackets: string;
  readonly lossPercent: string;
}

/** The picker's entry for a rate instead of a name. */
export const RATE_CHOICE = "rate";

/** A rate's name, as the server's isRate has it. */
const RATE = /^(\d+(?:\.\d+)?)([kmg])bit$/i;
const MEGABITS: Readonly<Record<string, number>> = { k: 1e-3, m: 1, g: 1e3 };

/** Mbit/s of a link that is named by its rate, such as `500kbit`; null where it is not. */
export function megabitsOf(name: string): number | null {
  const [, number = "", unit = ""] = RATE.exec(name) ?? [];
  const factor = MEGABITS[unit.toLowerCase()];
  return factor === undefined ? null : Number(number) * factor;
}

/** Where a number of the form must lie. */
export function entryRange(entry: Exclude<keyof LinkForm, "name">, limits: LinkLimits): Range {
  switch (entry) {
    case "megabitsPerSecond":
      return { min: 0, max: Number.POSITIVE_INFINITY }; // what is too slow or too fast to be emulated, the server says
    case "delayMs":
      return limits.delayMs;
    case "queuePackets":
      return limits.queuePackets;
    case "lossPercent":
      return { min: 100 * limits.loss.min, max: 100 * limits.loss.max };
  }
}

const TITLES = {
  megabitsPerSecond: "The rate",
  delayMs: "The delay",
  queuePackets: "The queue",
  lossPercent: "The loss",
} as const;

/** Throws an Error with one sentence if the entry that the viewer has just changed is no number, or out of its range. */
export function checkEntry(form: LinkForm, entry: Exclude<keyof LinkForm, "name">, limits: LinkLimits): void {
  const text = form[entry].trim();
  const { min, max } = entryRange(entry, limits);
  const value = Number(text);
  if (text !== "" && !(value >= min && value <= max)) {
    const range = max === Number.POSITIVE_INFINITY ? `not below ${min}` : `from ${min} to ${max}`;
    throw new Error(`${TITLES[entry]} must be a number ${range}, not ${text}.`);
  }
}

/** What the form asks for. The server has the last word on it. */
export function linkRequest(form: LinkForm): LinkRequest {
  if (form.name === "none") {
    return { name: "none" };
  }
  const number = (text: string): number | null => (text.trim() === "" ? null : Number(text));
  const delayMs = number(form.delayMs);
  const queuePackets = number(form.queuePackets);
  const lossPercent = number(form.lossPercent);
  return {
    name: form.name === RATE_CHOICE ? `${number(form.megabitsPerSecond) ?? 10}mbit` : form.name,
    ...(delayMs === null ? {} : { delayMs }),
    ...(queuePackets === null ? {} : { queuePackets: Math.round(queuePackets) }),
    ...(lossPercent === null ? {} : { lossRatio: lossPercent / 100 }),
  };
}

/** The form that asks for this; what is left to the server is as it stands. */
export function requestForm(
  { name, delayMs, queuePackets, lossRatio }: LinkRequest,
  present: LinkForm,
): LinkForm {
  const megabits = megabitsOf(name);
  return {
    name: megabits === null ? name : RATE_CHOICE,
    megabitsPerSecond: megabits === null ? "" : rounded(megabits),
    delayMs: delayMs === undefined ? present.delayMs : String(delayMs),
    queuePackets: queuePackets === undefined ? present.queuePackets : String(queuePackets),
    lossPercent: lossRatio === undefined ? present.lossPercent : rounded(100 * lossRatio),
  };
}

/** The form that shows a link. */
export function linkForm(link: LinkState | null): LinkForm {
  const megabits = link === null ? null : megabitsOf(link.name);
  return {
    name: link === null ? "none" : megabits === null ? link.name : RATE_CHOICE,
    megabitsPerSecond: megabits === null ? "" : rounded(megabits),
    delayMs: String(link?.delayMs ?? 20),
    queuePackets: link === null ? "300" : String(link.queuePackets ?? ""),
    lossPercent: rounded(100 * (link?.lossRatio ?? 0)),
  };
}

const rounded = (value: number): string => String(Number(value.toPrecision(6)));
