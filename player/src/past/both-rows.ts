/** Two sessions as the rows of one table, second by second from the start of each, and at the end of each. Pure. */

import { COMPARISON_COLUMNS, type ComparisonColumn, SIDES, type Side } from "../charts/comparison-charts.ts";
import type { Row, Value } from "../charts/table.ts";
import type { SessionSample, SessionSeries } from "./session-series.ts";

/** Two reports that are further apart have a gap between them: the page was asleep, or reports were lost. */
const LONGEST_GAP_SECONDS = 12;

const LINES = ["estimate", "delay", "target", "buffer"] as const;

export interface BothRow {
  readonly atSeconds: number;
  readonly row: Row<ComparisonColumn>;
}

/** @param series one for each side; null where no session is chosen */
export function bothRows(series: Readonly<Record<Side, SessionSeries | null>>): BothRow[] {
  const ends = SIDES.map((side) => series[side]?.durationSeconds ?? 0);
  const seconds = Array.from({ length: Math.ceil(Math.max(0, ...ends)) }, (_, second) => second);
  const moments = [...new Set([...seconds, ...ends])].sort((one, other) => one - other);
  return moments.map((atSeconds) => ({ atSeconds, row: rowAt(series, atSeconds) }));
}

function rowAt(
  series: Readonly<Record<Side, SessionSeries | null>>,
  atSeconds: number,
): Row<ComparisonColumn> {
  const values: Partial<Record<ComparisonColumn, Value>> = {};
  for (const side of SIDES) {
    const [before, after] = around(series[side], atSeconds);
    for (const line of LINES) {
      values[`${side}-${line}`] = between(before, after, line, atSeconds);
    }
    values[`${side}-bitrate`] = before?.bitrate ?? null;
  }
  return Object.fromEntries(
    COMPARISON_COLUMNS.map((column) => [column, values[column] ?? null]),
  ) as Row<ComparisonColumn>;
}

type Around = readonly [before: SessionSample | null, after: SessionSample | null];

/** The reports on both sides of a moment; none where they are too far apart. The last one holds to the session's end. */
function around(session: SessionSeries | null, atSeconds: number): Around {
  const samples = session?.samples ?? [];
  const place = samples.findLastIndex((sample) => sample.atSeconds <= atSeconds);
  const before = samples[place];
  const after = samples[place + 1] ?? null;
  const untilSeconds = after?.atSeconds ?? session?.durationSeconds ?? 0;
  const holds =
    before !== undefined &&
    atSeconds <= untilSeconds &&
    untilSeconds - before.atSeconds <= LONGEST_GAP_SECONDS;
  return holds ? [before, after] : [null, null];
}

/** As a line is drawn from one report to the next. */
function between(
  before: Around[0],
  after: Around[1],
  line: (typeof LINES)[number],
  atSeconds: number,
): Value {
  const from = before?.[line] ?? null;
  const to = after?.[line] ?? null;
  if (before === null || after === null || from === null || to === null) {
    return from;
  }
  const share = (atSeconds - before.atSeconds) / (after.atSeconds - before.atSeconds);
  return from + share * (to - from);
}
