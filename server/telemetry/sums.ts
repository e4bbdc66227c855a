import { createHash } from "node:crypto";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Column, columnList, EVENT_COLUMNS, rowsOf, tableOf } from "./tables.ts";

interface Sum extends Column {
  /** SQL over events of one session that know the bitrate `previous` to a change, and until when a state lasted (`until_ts`). */
  readonly of: string;
  /** SQL that adds those of further events, `excluded`, to what is `kept`. */
  readonly merge: string;
}

/** Sums are DOUBLE: whatever a client sends, adding it up must not fail. */
const added = (name: string, of: string): Sum => ({
  ...{ name, type: "DOUBLE", of: `coalesce(${of}, 0)` },
  merge: `kept.${name} + excluded.${name}`,
});
const least = (name: string, of: string, type = "BIGINT"): Sum => ({
  ...{ name, type, of: `min(${of})`, merge: `least(kept.${name}, excluded.${name})` },
});
const most = (name: string, of: string, type = "BIGINT"): Sum => ({
  ...{ name, type, of: `max(${of})`, merge: `greatest(kept.${name}, excluded.${name})` },
});
/** The last that was said of it. */
const said = (name: string, key: string, where = "true"): Sum => {
  const pair = `CASE WHEN ${where} AND "${key}" IS NOT NULL THEN {sn: sn, said: "${key}"} END`;
  return most(name, pair, "STRUCT(sn BIGINT, said VARCHAR)");
};

/** Neither who leaves nor a film that fails ends a stall. */
const ENDS_NO_STALL = "sta IN ('q', 'f')";
/** What the film does. */
const PLAY_STATE = `CASE WHEN e = 'ps' AND NOT ${ENDS_NO_STALL} THEN {sn: sn, sta: sta, ts: ts} END`;
const PLAY_STATE_TYPE = "STRUCT(sn BIGINT, sta VARCHAR, ts BIGINT)";
/** A path is measured while something comes over it, as the page counts; else it is said again what was. */
const DELIVERED = `e = 't' AND "nuwa-dr" > 0`;
/** A change of bitrate, by its event. */
const CHANGE = "CASE WHEN e = 'bc' THEN {sn: sn, br: br} END";
const CHANGE_TYPE = "STRUCT(sn BIGINT, br BIGINT)";
/** Else what lies between two changes, or two states, is not known without the events. */
const FOLLOWS = ["change", "state"]
  .map((kind) => `coalesce(excluded.first_${kind}.sn > kept.last_${kind}.sn, true)`)
  .join(" AND ");

/** What is kept of each session's events, so that a list of sessions reads none of them. */
const SUMS: readonly Sum[] = [
  least("first_ts", "ts"),
  most("last_ts", "ts"),
  most("last_sn", "sn"),
  most("last_received_at_ms", "received_at_ms"),
  added("events", "count(*)"),
  added("errors", "count(*) FILTER (e = 'e')"),
  most("startup_ms", "msd"),
  most("played_until_ms", "pt"),
  added("stalls", "count(*) FILTER (e = 'ps' AND sta = 'r')"),
  added("stalled_ms", "sum(bsd)"),
  most("stalled_in_all_ms", "bsda"),
  {
    ...added("stalled_by_states_ms", "sum(greatest(until_ts - ts, 0)) FILTER (e = 'ps' AND sta = 'r')"),
    merge: `kept.stalled_by_states_ms + excluded.stalled_by_states_ms
      + CASE WHEN kept.last_state.sta = 'r' THEN greatest(coalesce(excluded.first_state.ts - kept.last_state.ts, 0), 0) ELSE 0 END`,
  },
  least("first_state", PLAY_STATE, PLAY_STATE_TYPE),
  most("last_state", PLAY_STATE, PLAY_STATE_TYPE),
  added("played_kbps", "sum(pb) FILTER (e = 't' AND sta = 'p')"),
  added("played_count", "count(pb) FILTER (e = 't' AND sta = 'p')"),
  added("estimate_kbps", `sum("nuwa-bw") FILTER (${DELIVERED})`),
  added("estimate_count", `count("nuwa-bw") FILTER (${DELIVERED})`),
  added("queueing_delay_ms", `sum("nuwa-qd") FILTER (${DELIVERED})`),
  added("queueing_delay_count", `count("nuwa-qd") FILTER (${DELIVERED})`),
  said("last_path", "nuwa-path", "e = 't'"),
  said("last_scheme", "nuwa-scheme"),
  said("last_preset", "nuwa-preset"),
  said("last_rule", "nuwa-rule"),
  said("last_estimator", "nuwa-estimator"),
  {
    ...added("switches", "count(*) FILTER (e = 'bc' AND previous IS NOT NULL)"),
    merge: `kept.switches + excluded.switches
      + (kept.last_change.br IS NOT NULL AND excluded.first_change IS NOT NULL)::INTEGER`,
  },
  {
    ...added("switched_kbps", "sum(abs(br - previous)) FILTER (e = 'bc')"),
    merge: `kept.switched_kbps + excluded.switched_kbps
      + coalesce(abs(excluded.first_change.br - kept.last_change.br), 0)`,
  },
  least("first_change", CHANGE, CHANGE_TYPE),
  most("last_change", CHANGE, CHANGE_TYPE),
  {
    ...{ name: "is_unordered", type: "BOOLEAN", of: "false" },
    merge: `kept.is_unordered OR NOT (${FOLLOWS})`,
  },
];

const COLUMNS: readonly Column[] = [{ name: "sid", type: "VARCHAR" }, ...SUMS];

/** SQL of the sums of events by session, from a query that gives events. */
export function sumsOf(events: string): string {
  const sums = SUMS.map(({ name, type, of }) => `(${of})::${type} AS ${name}`).join(",\n    ");
  return `SELECT sid, ${sums}
    FROM (SELECT *, lag(br) OVER of_kind AS previous, lead(ts) OVER of_kind AS until_ts FROM (${events})
      WINDOW of_kind AS (PARTITION BY sid, e, e = 'ps' AND ${ENDS_NO_STALL} ORDER BY sn)) GROUP BY sid`;
}

/** What of an event goes into the sums. */
export const SUMMED_KEYS = [
  ...["sid", "sn", "ts", "e", "sta", "received_at_ms", "br", "pb", "pt", "msd", "bsd", "bsda"],
  ...["nuwa-bw", "nuwa-qd", "nuwa-dr", "nuwa-path"],
  ...["nuwa-scheme", "nuwa-preset", "nuwa-rule", "nuwa-estimator"],
];
const SUMMED = EVENT_COLUMNS.filter(({ name }) => SUMMED_KEYS.includes(name));

/** Adds events that are new. $1: JSON of their summed keys. */
export function mergeSums(generation: number): string {
  return `INSERT INTO ${tableOf("session_sums", generation)} AS kept BY NAME ${sumsOf(rowsOf(SUMMED))}
  ON CONFLICT (sid) DO UPDATE SET ${SUMS.map(({ name, merge }) => `${name} = ${merge}`).join(",\n    ")}`;
}

/** Of what the sums are of, and how they are added up: kept as the comment of their table. */
const FINGERPRINT = createHash("sha256")
  .update(JSON.stringify([COLUMNS, mergeSums(0)]))
  .digest("hex");

/** They follow from the events: where they are another version's or do not count all of them, they are made anew. */
export async function createSums(connection: DuckDBConnection, generation: number): Promise<void> {
  const [events, sums] = [tableOf("events", generation), tableOf("session_sums", generation)];
  if (await isCurrent(connection, events, sums)) return;
  await connection.run(`DROP TABLE IF EXISTS ${sums}`);
  await connection.run(`CREATE TABLE ${sums} (${columnList(COLUMNS)}, PRIMARY KEY (sid))`);
  await connection.run(`INSERT INTO ${sums} BY NAME ${sumsOf(`SELECT * FROM ${events}`)}`);
  await connection.run(`COMMENT ON TABLE ${sums} IS '${FINGERPRINT}'`); // last: else they are not whole
}

async function isCurrent(connection: DuckDBConnection, events: string, sums: string): Promise<boolean> {
  const present = await connection.runAndReadAll(
    `SELECT comment FROM duckdb_tables() WHERE table_name = '${sums}'`,
  );
  if (present.getRowsJS()[0]?.[0] !== FINGERPRINT) return false;
  const counted = await connection.runAndReadAll(
    `SELECT (SELECT count(*) FROM ${events}) = (SELECT coalesce(sum(events), 0) FROM ${sums})`,
  );
  return counted.getRowsJS()[0]?.[0] === true;
}
