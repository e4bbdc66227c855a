import type { Selection } from "./selection.ts";
import type { TelemetryStore } from "./store.ts";
import { sumsOf } from "./sums.ts";

/**
 * What a list of sessions says of each; name, SQL over its sums, meaning. Times are the browser's. Numbers of events that
 * are neither stored nor declared as dropped wait in the browser, or died with it.
 */
export const SUMMARY_FIELDS = [
  ["sid", "sid", "session"],
  ["cid", "cid", "film"],
  ["st", "st", "v on demand, l live, ll live with low latency"],
  ["startedAtMs", "first_ts", "first event"],
  ["endedAtMs", "last_ts", "last event"],
  ["events", "sums.events", "events stored"],
  ["generated", "last_sn + 1", "events that the browser has numbered, as far as is known"],
  ["dropped", "dropped", "events that the browser says it dropped"],
  ["missing", "last_sn + 1 - sums.events", "numbers that have not come: dropped, or still in the browser"],
  ["startupMs", "startup_ms", "from the wish to play to the first frame"],
  ["stalls", "stalls", "stalls begun"],
  [
    "stalledMs",
    `coalesce(nullif(greatest(stalled_ms, stalled_in_all_ms), 0), stalled_by_states_ms)
      + CASE WHEN last_state.sta = 'r' THEN last_ts - last_state.ts ELSE 0 END`,
    "sum of the stalls, by the play states where no lengths are told; one that did not end lasts until the last event",
  ],
  ["switches", "switches", "changes of bitrate"],
  ["switchedKbps", "switched_kbps", "sum of the changes' sizes, kbit/s"],
  ["meanKbps", "round(played_kbps / nullif(played_count, 0))", "mean bitrate on the screen, kbit/s"],
  [
    "meanEstimateKbps",
    "round(estimate_kbps / nullif(estimate_count, 0))",
    "mean of the estimated capacity while something was delivered, kbit/s",
  ],
  [
    "meanQueueingDelayMs",
    "round(queueing_delay_ms / nullif(queueing_delay_count, 0), 1)",
    "mean queueing delay while something was delivered",
  ],
  ["playedUntilMs", "played_until_ms", "furthest place in the film"],
  ["errors", "errors", "errors"],
  ["path", "last_path.said", "last way of the segments"],
  ["scheme", "last_scheme.said", "last congestion control"],
  ["preset", "last_preset.said", "last preset of the receiver"],
  ["rule", "last_rule.said", "last adaptation rule"],
  ["estimator", "last_estimator.said", "whose measurement the rule saw last: receiver or dashjs"],
] as const;

export type SessionSummary = Readonly<Record<(typeof SUMMARY_FIELDS)[number][0], string | number | null>>;

/**
 * The sessions that were open in the time, the last heard of first; each as a whole: what of it was before counts, too.
 *
 * @throws StorageProblem
 */
export function summarizeSessions(store: TelemetryStore, selection: Selection): Promise<SessionSummary[]> {
  return readSummaries(store, keptSums(selection), selection.limit);
}

/**
 * From a query that gives sums.
 *
 * @throws StorageProblem
 */
export async function readSummaries(
  store: TelemetryStore,
  sums: string,
  limit: number,
): Promise<SessionSummary[]> {
  const fields = SUMMARY_FIELDS.map(([name, sql]) => `${sql} AS "${name}"`).join(",\n    ");
  const sql = `WITH sums AS (${sums})
    SELECT ${fields} FROM sums JOIN sessions USING (sid) ${NEWEST_FIRST} LIMIT ${limit}`;
  const rows = await store.read(async (connection) =>
    (await connection.runAndReadAll(sql)).getRowObjectsJS(),
  );
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
  ) as SessionSummary[];
}

const NEWEST_FIRST = "ORDER BY last_received_at_ms DESC, sid";

/** Of sessions whose changes or states came in another order than they were made, the events are read. */
function keptSums({ fromMs, toMs, limit }: Selection): string {
  const newest = `SELECT * FROM session_sums WHERE last_ts >= ${fromMs} AND first_ts < ${toMs} ${NEWEST_FIRST} LIMIT ${limit}`;
  const unordered = `sid IN (SELECT sid FROM (${newest}) WHERE is_unordered)`;
  return `SELECT * FROM (${newest}) WHERE NOT is_unordered
    UNION ALL BY NAME ${sumsOf(`SELECT * FROM events WHERE ${unordered}`)}`;
}

function plain(value: unknown): string | number | null {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" || typeof value === "number" ? value : null;
}
