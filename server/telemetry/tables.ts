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

export const SESSION_COLUMNS: readonly Column[] = [
  { name: "sid", type: "VARCHAR" },
  { name: "cid", type: "VARCHAR" },
  { name: "sf", type: "VARCHAR" },
  { name: "st", type: "VARCHAR" },
  { name: "v", type: "BIGINT" },
  { name: "dropped", type: "BIGINT" },
  { name: "received_at_ms", type: "BIGINT" },
];

/** What is there already stays: the same event may come again, when its answer was lost. $1: JSON. */
export const INSERT_EVENTS = `INSERT INTO events BY NAME ${rowsOf(EVENT_COLUMNS)}
  ON CONFLICT DO NOTHING RETURNING sid, sn`;

/** $1: JSON, one row for each session. */
export const UPSERT_SESSIONS = `INSERT INTO sessions BY NAME ${rowsOf(SESSION_COLUMNS)}
  ON CONFLICT (sid) DO UPDATE SET dropped = excluded.dropped WHERE excluded.dropped > sessions.dropped`;

/** Creates what is missing: a file of an older version lacks the columns of newer words. */
export async function createTables(connection: DuckDBConnection): Promise<void> {
  await connection.run("BEGIN TRANSACTION");
  await connection.run(
    `CREATE TABLE IF NOT EXISTS sessions (${columnList(SESSION_COLUMNS)}, PRIMARY KEY (sid))`,
  );
  await connection.run(
    `CREATE TABLE IF NOT EXISTS events (${columnList(EVENT_COLUMNS)}, PRIMARY KEY (sid, sn))`,
  );
  const present = await connection.runAndReadAll("SELECT name FROM pragma_table_info('events')");
  const names = new Set(present.getRowsJS().map(([name]) => name));
  for (const column of EVENT_COLUMNS.filter(({ name }) => !names.has(name))) {
    await connection.run(`ALTER TABLE events ADD COLUMN ${columnList([column])}`);
  }
  await connection.run("COMMIT");
}

export function columnList(columns: readonly Column[]): string {
  return columns.map(({ name, type }) => `"${name}" ${type}`).join(", ");
}

export function rowsOf(columns: readonly Column[]): string {
  const structure = JSON.stringify([Object.fromEntries(columns.map(({ name, type }) => [name, type]))]);
  return `SELECT unnest(from_json($1, '${structure}'), recursive := true)`;
}
