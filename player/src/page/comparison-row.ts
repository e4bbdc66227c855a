import { COMPARISON_COLUMNS, type ComparisonColumn, type Side } from "../charts/comparison-charts.ts";
import type { Value } from "../charts/timeline.ts";
import { filmRow } from "./film-row.ts";
import type { Snapshot } from "./nuwa-stream.ts";

/** What the charts draw of a moment of both films, in their units. */
export function comparisonRow(left: Snapshot, right: Snapshot): Record<ComparisonColumn, Value> {
  const values: Partial<Record<ComparisonColumn, Value>> = {
    capacity: filmRow(left).capacity,
    ...sideValues("left", left),
    ...sideValues("right", right),
  };
  return Object.fromEntries(COMPARISON_COLUMNS.map((column) => [column, values[column] ?? null])) as Record<
    ComparisonColumn,
    Value
  >;
}

function sideValues(side: Side, snapshot: Snapshot): Partial<Record<ComparisonColumn, Value>> {
  const { receiver, dashjs, delay, buffer, bitrate } = filmRow(snapshot);
  return {
    [`${side}-estimate`]: snapshot.choices?.estimator === "dashjs" ? dashjs : receiver,
    [`${side}-delay`]: delay,
    [`${side}-buffer`]: buffer,
    [`${side}-bitrate`]: bitrate,
  };
}
