/** How two films do, measure by measure. Pure. */

import type { QoeSummary } from "../../qoe/running-qoe.ts";
import { NOTHING } from "./units.ts";

export interface SideScore {
  readonly qoe: QoeSummary | null;
  readonly queueingDelayMs: { readonly mean: number | null; readonly p95: number | null };
}

export interface ScoreRow {
  readonly title: string;
  readonly texts: readonly [string, string];
  /** The side that does better by more than shows; null where neither does. */
  readonly better: 0 | 1 | null;
}

export interface Measure<Side> {
  readonly title: string;
  /** null where it is not known. */
  readonly of: (side: Side) => number | null;
  readonly digits: number;
  readonly isMoreBetter?: boolean;
}

/** As the page asks: who fills the queue, who stalls, who looks better. */
export const FILM_MEASURES: readonly Measure<SideScore>[] = [
  { title: "Queue, mean, ms", of: ({ queueingDelayMs }) => queueingDelayMs.mean, digits: 0 },
  { title: "Queue, 95 %, ms", of: ({ queueingDelayMs }) => queueingDelayMs.p95, digits: 0 },
  { title: "Stalls", of: ({ qoe }) => qoe?.stallCount ?? null, digits: 0 },
  { title: "Stalled, s", of: ({ qoe }) => qoe?.stalledSeconds ?? null, digits: 1 },
  {
    title: "Bitrate, Mbit/s",
    of: ({ qoe }) => (qoe?.meanBitsPerSecond == null ? null : qoe.meanBitsPerSecond / 1e6),
    digits: 2,
    isMoreBetter: true,
  },
  { title: "Switches", of: ({ qoe }) => qoe?.switches ?? null, digits: 0 },
  { title: "QoE_lin", of: ({ qoe }) => qoe?.linear ?? null, digits: 1, isMoreBetter: true },
  {
    title: "QoE_lin a segment",
    of: ({ qoe }) => qoe?.linearPerSegment ?? null,
    digits: 2,
    isMoreBetter: true,
  },
  { title: "First frame, s", of: ({ qoe }) => qoe?.startupSeconds ?? null, digits: 2 },
];

export function scoreRows<Side>(measures: readonly Measure<Side>[], left: Side, right: Side): ScoreRow[] {
  return measures.map(({ title, of, digits, isMoreBetter }) => {
    const values = [of(left), of(right)] as const;
    const texts = values.map((value) => value?.toFixed(digits) ?? NOTHING) as [string, string];
    return { title, texts, better: betterOf(values, texts, isMoreBetter === true) };
  });
}

function betterOf(
  [left, right]: readonly [number | null, number | null],
  texts: readonly [string, string],
  isMoreBetter: boolean,
): 0 | 1 | null {
  if (left === null || right === null || texts[0] === texts[1]) {
    return null;
  }
  return left > right === isMoreBetter ? 0 : 1;
}
