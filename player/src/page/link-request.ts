/** What a viewer asks of the emulated link, by the form or the query, as `PUT /api/link` takes it. Pure. */

import type { LinkState } from "./server-config.ts";

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
  /** Of a link with one rate. */
  readonly megabitsPerSecond: string;
  readonly delayMs: string;
  readonly queuePackets: string;
  readonly lossPercent: string;
}

/** The picker's entry for a rate instead of a name. */
export const RATE_CHOICE = "rate";
const RATE = /^([0-9.]+)mbit$/;

/** Throws an Error with one sentence that names the entry and its value. */
export function linkRequest(form: LinkForm): LinkRequest {
  if (form.name === "none") {
    return { name: "none" };
  }
  const name =
    form.name === RATE_CHOICE
      ? `${entry("The rate", form.megabitsPerSecond, 0.1, 1000) ?? 10}mbit`
      : form.name;
  const delayMs = entry("The delay", form.delayMs, 0, 1000);
  const queuePackets = entry("The queue", form.queuePackets, 1, 100_000);
  const lossPercent = entry("The loss", form.lossPercent, 0, 50);
  return {
    name,
    ...(delayMs === null ? {} : { delayMs }),
    ...(queuePackets === null ? {} : { queuePackets: Math.round(queuePackets) }),
    ...(lossPercent === null ? {} : { lossRatio: lossPercent / 100 }),
  };
}

/** The form that shows a link. */
export function linkForm(link: LinkState | null): LinkForm {
  const rate = link === null ? null : RATE.exec(link.name);
  return {
    name: link === null ? "none" : rate === null ? link.name : RATE_CHOICE,
    megabitsPerSecond: rate?.[1] ?? "10",
    delayMs: String(link?.delayMs ?? 20),
    queuePackets: link === null ? "300" : String(link.queuePackets ?? ""),
    lossPercent: String(Number((100 * (link?.lossRatio ?? 0)).toPrecision(6))),
  };
}

function entry(what: string, text: string, least: number, most: number): number | null {
  if (text.trim() === "") {
    return null;
  }
  const value = Number(text);
  if (!(value >= least && value <= most)) {
    throw new Error(`${what} must be a number from ${least} to ${most}, not ${text}.`);
  }
  return value;
}
