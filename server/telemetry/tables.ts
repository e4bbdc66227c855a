import type { DuckDBConnection } from "@duckdb/node-api";
import { EVENT_WORDS } from "../../player/src/telemetry/vocabulary.ts";

const TYPES = { integer: "BIGINT", number: "DOUBLE", boolean: "BOOLEAN", string: "VARCHAR" } as const;

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** Columns of an event: the vocabulary's keys, and what the server adds. */
export const EVENT_COLUMNS: readonly Column[] = [
  { name: "sid", type: "VARCHAR" },
  ...EVENT_WORDS.map(({ key, type }) => ({ name: key, type: TYPES[type] })),
  { name: "received_at_ms", type: "BIGINT" },
];

const SESSION_COLUMNS: readonly Column[] = [
  { name: "sid", type: "VARCHAR" },
  { name: "cid", type: "VARCHAR" },
  { name: "sf", type: "VARCHAR" },
  { name: "st", type: "VARCHAR" },
  { name: "v", type: "BIGINT" },
  { name: "dropped", type: "BIGINT" },
  { name: "received_at_ms", type: "BIGINT" },
];

/** Of each generation (generations.ts), and views over all. */
export const TABLES = ["events", "sessions", "session_sums"] as const;
export type Table = (typeof TABLES)[number];

/** Its name in a generation. */
export function tableOf(table: Table, generation: number): string {
  return `${table}_${generation}`;
}

/** What is there already stays: the same event may come again, when its answer was lost. $1: JSON. */
export function insertEvents(generation: number): string {
  return `INSERT INTO ${tableOf("events", generation)} BY NAME ${rowsOf(EVENT_COLUMNS)}
  ON CONFLICT DO NOTHING RETURNING sid, sn`;
}

/** A page learns what it plays once it has the manifest. $1: JSON, one row for each session. */
export function upsertSessions(generation: number): string {
  return `INSERT INTO ${tableOf("sessions", generation)} AS kept BY NAME ${rowsOf(SESSION_COLUMNS)}
  ON CONFLICT (sid) DO UPDATE SET
    dropped = greatest(kept.dropped, excluded.dropped), st = coalesce(excluded.st, kept.st)
  WHERE excluded.dropped > kept.dropped OR excluded.st <> coalesce(kept.st, '')`;
}

/** Creates what is missing: a file of an older version lacks the columns of newer words. */
export async function createTables(connection: DuckDBConnection, generation: number): Promise<void> {
  const [events, sessions] = [tableOf("events", generation), tableOf("sessions", generation)];
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${sessions} (${columnList(SESSION_COLUMNS)}, PRIMARY KEY (sid))`,
  );
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${events} (${columnList(EVENT_COLUMNS)}, PRIMARY KEY (sid, sn))`,
  );
  const present = await connection.runAndReadAll(`SELECT name FROM pragma_table_info('${events}')`);
  const names = new Set(present.getRowsJS().map(([name]) => name));
  for (const column of EVENT_COLUMNS.filter(({ name }) => !names.has(name))) {
    await connection.run(`ALTER TABLE ${events} ADD COLUMN ${columnList([column])}`);
  }
}

export function columnList(columns: readonly Column[]): string {
  return columns.map(({ name, type }) => `"${name}" ${type}`).join(", ");
}

export function rowsOf(columns: readonly Column[]): string {
  const structure = JSON.stringify([Object.fromEntries(columns.map(({ name, type }) => [name, type]))]);
  return `SELECT unnest(from_json($1, '${structure}'), recursive := true)`;
}
