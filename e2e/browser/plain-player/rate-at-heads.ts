import type { LinkLog } from "../link/log.ts";
import type { TimeWindow } from "../link/metrics.ts";
import type { Told } from "./play.ts";

const RATE_MS = 1000;
const STEP_MS = 500;

/**
 * What dash.js would go by if each answer's head had told the link's true rate over the second before it: the best that a
 * server can say there. Held from one answer to the next, in bit/s, twice a second.
 */
export function rateAtHeads(
  told: readonly Pick<Told, "headAtMs" | "takenAtMs">[],
  { opportunities }: Pick<LinkLog, "opportunities">,
  { fromMs, toMs }: TimeWindow,
): { atMs: number; value: number | null }[] {
  const rates: { atMs: number; value: number | null }[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += STEP_MS) {
    const head = told.findLast(({ takenAtMs }) => takenAtMs <= atMs)?.headAtMs;
    rates.push({ atMs, value: head === undefined ? null : rateBefore(head, opportunities) });
  }
  return rates;
}

function rateBefore(endMs: number, opportunities: LinkLog["opportunities"]): number {
  const bytes = opportunities
    .filter(({ atMs }) => atMs > endMs - RATE_MS && atMs <= endMs)
    .reduce((sum, opportunity) => sum + opportunity.bytes, 0);
  return (8 * bytes * 1000) / RATE_MS;
}
