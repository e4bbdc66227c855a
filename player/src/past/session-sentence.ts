/** What the charts of a past session show, in words. Pure. */

import type { ScoreRow } from "../page/words/score.ts";
import { clockText, NOTHING, seconds } from "../page/words/units.ts";
import type { SessionChange, SessionSeries } from "./session-series.ts";

/** More would be no summary. */
const MOST_NAMED = 10;

export interface SpokenSession {
  readonly name: string;
  readonly rows: readonly Pick<ScoreRow, "title" | "texts">[];
  /** Its place in the rows. */
  readonly place: 0 | 1;
  /** null until it is read. */
  readonly series: Pick<SessionSeries, "stalls" | "changes"> | null;
  readonly nameOf: (change: SessionChange) => string;
}

/** "Nuwa. Stalls: 1. Stalled, s: 3.1. It stalled at 1:02 for 3.1 s. CUBIC was chosen at 1:30." */
export function sessionSentence({ name, rows, place, series, nameOf }: SpokenSession): string {
  const measures = rows
    .filter(({ texts }) => texts[place] !== NOTHING)
    .map(({ title, texts }) => `${title}: ${texts[place]}.`);
  const stalls = (series?.stalls ?? []).map(
    ({ fromSeconds, toSeconds }) => `at ${at(fromSeconds)} for ${seconds(toSeconds - fromSeconds, 1)}`,
  );
  const changes = (series?.changes ?? []).map(
    (change) => `${nameOf(change)} was chosen at ${at(change.atSeconds)}`,
  );
  return [
    `${name}.`,
    ...measures,
    ...(stalls.length === 0 ? [] : [`It stalled ${listed(stalls)}.`]),
    ...(changes.length === 0 ? [] : [`${listed(changes)}.`]),
  ].join(" ");
}

const at = (atSeconds: number): string => clockText(1000 * atSeconds);

function listed(parts: readonly string[]): string {
  const left = parts.length - MOST_NAMED;
  return [...parts.slice(0, MOST_NAMED), ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
}
