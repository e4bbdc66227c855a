/** Two sessions as the rows of one table, over the time since the start of each. Pure. */

import { COMPARISON_COLUMNS, type ComparisonColumn, SIDES, type Side } from "../charts/comparison-charts.ts";
import type { Row, Value } from "../charts/table.ts";
import type { SessionSample, SessionSeries } from "./session-series.ts";

/** Two reports that are further apart have a gap between them: the film stood, the page was asleep, or reports were lost. */
const LONGEST_GAP_SECONDS = 12;

const LINES = ["estimate", "delay", "target", "buffer"] as const;

export interface BothRow {
  readonly atSeconds: number;
  readonly row: Row<ComparisonColumn>;
}

/**
 * A row at each report of either, at the start and at both ends: as many as there are reports, however long a session claims to
 * be.
 *
 * @param series one for each side; null where no session is chosen
 */
export function bothRows(series: Readonly<Record<Side, SessionSeries | null>>): BothRow[] {
  const ends = SIDES.map((side) => series[side]?.durationSeconds ?? 0);
  const reports = SIDES.flatMap((side) => series[side]?.samples.map(({ atSeconds }) => atSeconds) ?? []);
  const moments = [...new Set([...reports, ...ends].filter((atSeconds) => atSeconds > 0))];
  if (moments.length === 0) {
    return [];
  }
  const around = { left: aroundMoments(series.left), right: aroundMoments(series.right) };
  return [0, ...moments.sort((one, other) => one - other)].map((atSeconds) => ({
    atSeconds,
    row: rowAt({ left: around.left(atSeconds), right: around.right(atSeconds) }, atSeconds),
  }));
}

function rowAt(around: Readonly<Record<Side, Around>>, atSeconds: number): Row<ComparisonColumn> {
  const values: Partial<Record<ComparisonColumn, Value>> = {};
  for (const side of SIDES) {
    const [before, after] = around[side];
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

/**
 * Answers the reports on both sides of a moment, none where they are too far apart; the last one holds to the session's end.
 * To be asked for moments in ascending order.
 */
function aroundMoments(session: SessionSeries | null): (atSeconds: number) => Around {
  const samples = session?.samples ?? [];
  let next = 0;
  return (atSeconds) => {
    while ((samples[next]?.atSeconds ?? Number.POSITIVE_INFINITY) <= atSeconds) {
      next += 1;
    }
    const before = samples[next - 1];
    const after = samples[next] ?? null;
    const untilSeconds = after?.atSeconds ?? session?.durationSeconds ?? 0;
    const holds =
      before !== undefined &&
      atSeconds <= untilSeconds &&
      untilSeconds - before.atSeconds <= LONGEST_GAP_SECONDS;
    return holds ? [before, after] : [null, null];
  };
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
