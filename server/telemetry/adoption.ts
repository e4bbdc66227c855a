import type { DuckDBConnection } from "@duckdb/node-api";
import { createGenerationList } from "./generations.ts";
import { createSums } from "./sums.ts";
import { columnList, createTables, EVENT_COLUMNS, TABLES, type Table, tableOf } from "./tables.ts";

/** As a store at its limit has them. */
const MAX_GENERATIONS = 16;

/** Of a generation: a store of some megabytes is far from its limit, and not worth a copy. */
const MIN_EVENTS = 100_000;

/** In one transaction: the index of so many takes 150 MB of memory until it is committed. */
const MAX_EVENTS_AT_ONCE = 2_000_000;

/** A copy is about as large as what is copied, and others write to the disk, too. */
const FREE_SPACE_FACTOR = 1.5;

export interface AdoptionOptions {
  readonly nowMs: number;
  /** Of the disk that the file is on. */
  readonly freeBytes: number;
  /** Of a generation. */
  readonly minEvents?: number;
  /** About. */
  readonly maxEventsAtOnce?: number;
  /** Told how many events are copied, before they are: that can take minutes. */
  readonly onCopy?: (events: number) => void;
}

/**
 * Makes generations of the tables of a version that had none: of many events several, by when their sessions came first. The
 * older tables are whole until all is copied. Where the disk has no room for a copy they are one generation.
 */
export async function adoptOlderTables(
  connection: DuckDBConnection,
  { nowMs, freeBytes, minEvents = MIN_EVENTS, maxEventsAtOnce = MAX_EVENTS_AT_ONCE, onCopy }: AdoptionOptions,
): Promise<void> {
  const read = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables()");
  const names = read.getRowsJS().map(([name]) => String(name));
  const older = TABLES.filter((table) => names.includes(table));
  if (older.length === 0) return;
  for (let number = 1; number <= MAX_GENERATIONS; number += 1) await dropCopies(connection, number);
  const events = await numberOf(connection, "SELECT count(*)::DOUBLE FROM events");
  const count = Math.min(MAX_GENERATIONS, Math.floor(events / minEvents));
  if (count > 1 && freeBytes > FREE_SPACE_FACTOR * (await usedBytes(connection))) {
    onCopy?.(events);
    await spread(connection, older, { count, slicesOfEach: Math.ceil(events / count / maxEventsAtOnce) });
  } else await takeAsOne(connection, older, nowMs);
}

/** Of an attempt that a crash ended. */
async function dropCopies(connection: DuckDBConnection, number: number): Promise<void> {
  for (const table of TABLES) await connection.run(`DROP TABLE IF EXISTS ${tableOf(table, number)}`);
}

async function takeAsOne(
  connection: DuckDBConnection,
  older: readonly Table[],
  nowMs: number,
): Promise<void> {
  await connection.run("BEGIN TRANSACTION");
  await createGenerationList(connection);
  await connection.run(
    `INSERT INTO generations SELECT 1, coalesce(min(received_at_ms), ${nowMs}) FROM sessions`,
  );
  for (const table of older) await connection.run(`ALTER TABLE ${table} RENAME TO ${tableOf(table, 1)}`);
  await connection.run("COMMIT");
}

/** Generations of about as many events each. */
async function spread(
  connection: DuckDBConnection,
  older: readonly Table[],
  { count, slicesOfEach }: { readonly count: number; readonly slicesOfEach: number },
): Promise<void> {
  await connection.run(`CREATE TEMP TABLE places AS
    SELECT sid, received_at_ms, share // ${slicesOfEach} + 1 AS generation, share % ${slicesOfEach} AS slice FROM (
      SELECT sid, received_at_ms,
        floor(${count * slicesOfEach} * (sum(rows) OVER (ORDER BY received_at_ms, sid) - rows) / sum(rows) OVER ())::BIGINT AS share
      FROM (SELECT sid, any_value(s.received_at_ms) AS received_at_ms, 1 + count(e.sn) AS rows
        FROM sessions s LEFT JOIN events e USING (sid) GROUP BY sid))`);
  const read = await connection.runAndReadAll(
    "SELECT generation, list(DISTINCT slice)::VARCHAR FROM places GROUP BY ALL ORDER BY ALL",
  );
  for (const [generation, slices] of read.getRowsJS()) {
    await createTables(connection, Number(generation));
    await addOlderColumns(connection, Number(generation));
    for (const slice of JSON.parse(String(slices)) as number[]) {
      await copySessions(connection, Number(generation), `generation = ${generation} AND slice = ${slice}`);
    }
    await createSums(connection, Number(generation));
  }
  await connection.run("BEGIN TRANSACTION");
  await createGenerationList(connection);
  await connection.run(
    "INSERT INTO generations SELECT generation, min(received_at_ms) FROM places GROUP BY ALL",
  );
  for (const table of older) await connection.run(`DROP TABLE ${table}`);
  await connection.run("COMMIT");
  await connection.run("DROP TABLE places");
  await connection.run("CHECKPOINT"); // frees what was dropped
}

/** Of words that the vocabulary has no more. */
async function addOlderColumns(connection: DuckDBConnection, number: number): Promise<void> {
  const read = await connection.runAndReadAll("SELECT name, type FROM pragma_table_info('events')");
  const columns = read.getRowsJS().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const isKnown = (name: string) => EVENT_COLUMNS.some((column) => column.name === name);
  for (const column of columns.filter(({ name }) => !isKnown(name))) {
    await connection.run(`ALTER TABLE ${tableOf("events", number)} ADD COLUMN ${columnList([column])}`);
  }
}

async function copySessions(connection: DuckDBConnection, number: number, where: string): Promise<void> {
  for (const table of ["sessions", "events"] as const) {
    await connection.run(`INSERT INTO ${tableOf(table, number)} BY NAME
      SELECT * FROM ${table} WHERE sid IN (SELECT sid FROM places WHERE ${where})`);
  }
  await connection.run("CHECKPOINT"); // makes room in memory
}

function usedBytes(connection: DuckDBConnection): Promise<number> {
  return numberOf(connection, "SELECT (used_blocks * block_size)::DOUBLE FROM pragma_database_size()");
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  return Number((await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0]);
}
