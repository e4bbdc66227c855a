import { COMPARISON_COLUMNS, type ComparisonColumn, type Side } from "../../charts/comparison-charts.ts";
import type { Value } from "../../charts/table.ts";
import { filmRow } from "../film/film-row.ts";
import type { Snapshot } from "../nuwa-stream.ts";

export type BothSnapshots = readonly [left: Snapshot, right: Snapshot];

/** What the charts draw of a moment of both films, in their units. `before` is the moment that was drawn last. */
export function comparisonRow(
  [left, right]: BothSnapshots,
  before: BothSnapshots | null,
): Record<ComparisonColumn, Value> {
  const values: Partial<Record<ComparisonColumn, Value>> = {
    capacity: filmRow(left, null).capacity,
    ...sideValues("left", left, before?.[0] ?? null),
    ...sideValues("right", right, before?.[1] ?? null),
  };
  return Object.fromEntries(COMPARISON_COLUMNS.map((column) => [column, values[column] ?? null])) as Record<
    ComparisonColumn,
    Value
  >;
}

function sideValues(
  side: Side,
  snapshot: Snapshot,
  before: Snapshot | null,
): Partial<Record<ComparisonColumn, Value>> {
  const { receiver, receiverStale, dashjs, delay, delayStale, target, buffer, bitrate } = filmRow(
    snapshot,
    before,
  );
  const isDashjs = snapshot.choices?.estimator === "dashjs";
  return {
    [`${side}-estimate`]: isDashjs ? dashjs : receiver,
    [`${side}-estimateStale`]: isDashjs ? 0 : receiverStale,
    [`${side}-delay`]: delay,
    [`${side}-delayStale`]: delayStale,
    [`${side}-target`]: target,
    [`${side}-buffer`]: buffer,
    [`${side}-bitrate`]: bitrate,
  };
}
