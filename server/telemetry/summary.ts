import { conditionOf, type Selection } from "./selection.ts";
import type { TelemetryStore } from "./store.ts";

/**
 * What a list of sessions says of each; name, SQL over its events, meaning. Times are the browser's. Numbers of events that
 * are neither stored nor declared as dropped wait in the browser, or died with it.
 */
export const SUMMARY_FIELDS = [
  ["sid", "sid", "session"],
  ["cid", "any_value(sessions.cid)", "film"],
  ["startedAtMs", "min(ts)", "first event"],
  ["endedAtMs", "max(ts)", "last event"],
  ["events", "count(*)", "events stored"],
  ["generated", "max(sn) + 1", "events that the browser has numbered, as far as is known"],
  ["dropped", "any_value(sessions.dropped)", "events that the browser says it dropped"],
  ["missing", "max(sn) + 1 - count(*)", "numbers that have not come: dropped, or still in the browser"],
  ["startupMs", "max(msd)", "from the wish to play to the first frame"],
  ["stalls", "count(*) FILTER (e = 'ps' AND sta = 'r')", "stalls begun"],
  ["stalledMs", "coalesce(sum(bsd), 0)", "sum of the stalls that ended"],
  ["switches", "count(*) FILTER (e = 'bc' AND previous IS NOT NULL)", "changes of bitrate"],
  [
    "switchedKbps",
    "coalesce(sum(abs(br - previous)) FILTER (e = 'bc'), 0)",
    "sum of the changes' sizes, kbit/s",
  ],
  ["meanKbps", "round(avg(pb) FILTER (e = 't' AND sta = 'p'))", "mean bitrate on the screen, kbit/s"],
  ["meanEstimateKbps", `round(avg("nuwa-bw") FILTER (e = 't'))`, "mean of the estimated capacity, kbit/s"],
  ["meanQueueingDelayMs", `round(avg("nuwa-qd") FILTER (e = 't'), 1)`, "mean queueing delay"],
  ["playedUntilMs", "max(pt)", "furthest place in the film"],
  ["errors", "count(*) FILTER (e = 'e')", "errors"],
  ["path", `max_by("nuwa-path", sn) FILTER (e = 't')`, "last way of the segments"],
  ["scheme", `max_by("nuwa-scheme", sn)`, "last congestion control"],
  ["rule", `max_by("nuwa-rule", sn)`, "last adaptation rule"],
] as const;

export type SessionSummary = Readonly<Record<(typeof SUMMARY_FIELDS)[number][0], string | number | null>>;

/**
 * The sessions, the newest first; times and limit as for events.
 *
 * @throws StorageProblem
 */
export async function summarizeSessions(
  store: TelemetryStore,
  selection: Selection,
): Promise<SessionSummary[]> {
  const fields = SUMMARY_FIELDS.map(([name, sql]) => `${sql} AS "${name}"`).join(",\n    ");
  const sql = `WITH chosen AS (
      SELECT *, lag(br) OVER (PARTITION BY sid, e ORDER BY sn) AS previous FROM events WHERE ${conditionOf(selection)})
    SELECT ${fields} FROM chosen JOIN sessions USING (sid)
    GROUP BY sid ORDER BY max(chosen.received_at_ms) DESC, sid LIMIT ${selection.limit}`;
  const rows = await store.read(async (connection) =>
    (await connection.runAndReadAll(sql)).getRowObjectsJS(),
  );
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
  ) as SessionSummary[];
}

function plain(value: unknown): string | number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}
