import type { DuckDBConnection } from "@duckdb/node-api";
import type { Generation } from "./generations.ts";
import { TABLES, tableOf } from "./tables.ts";

/** How much telemetry is kept, and for how long: the oldest gives way. */
export interface RetentionLimits {
  readonly maxBytes: number;
  /** Since the first batch of a session came; null: for as long as there is room. */
  readonly maxAgeMs: number | null;
}

/** So much of the limit, or less, goes at once. */
const SHARE_OF_SPACE = 1 / 16;
const SHARE_OF_AGE = 1 / 10;
const DAY_MS = 86_400_000;

/** Sessions in one transaction. */
const SESSIONS_AT_ONCE = 500;

export interface SpaceUse {
  /** Of the file, without what is free in it. */
  readonly totalBytes: number;
  /** About: of the newest generation, by its share of the rows. */
  readonly newestBytes: number;
}

/** Whether sessions that come from now on begin another generation. */
export function isToBegin(
  generations: readonly Generation[],
  { newestBytes }: SpaceUse,
  { maxBytes, maxAgeMs }: RetentionLimits,
  nowMs: number,
): boolean {
  const ageMs = nowMs - (generations.at(-1)?.begunAtMs ?? nowMs);
  const isOld = maxAgeMs !== null && ageMs > Math.max(DAY_MS, maxAgeMs * SHARE_OF_AGE);
  return isOld || newestBytes > maxBytes * SHARE_OF_SPACE;
}

/** Whether all sessions of the oldest generation are too old; of the newest they never are. */
export function isOver(
  [, next]: readonly Generation[],
  { maxAgeMs }: Pick<RetentionLimits, "maxAgeMs">,
  nowMs: number,
): boolean {
  return next !== undefined && maxAgeMs !== null && next.begunAtMs < nowMs - maxAgeMs;
}

/** Whether the oldest generation gives way. The last but one stays until the newest has its share, else nearly all would go. */
export function isTooMuch(
  generations: readonly Generation[],
  { totalBytes }: SpaceUse,
  { maxBytes }: RetentionLimits,
): boolean {
  return totalBytes > maxBytes && generations.length > 2;
}

export async function spaceUse(connection: DuckDBConnection, newest: Generation): Promise<SpaceUse> {
  const sized = await connection.runAndReadAll(
    "SELECT (used_blocks * block_size)::DOUBLE FROM pragma_database_size()",
  );
  const ofNewestOnly = TABLES.map((table) => `'${tableOf(table, newest.number)}'`).join();
  const counted = await connection.runAndReadAll(`
    SELECT sum(estimated_size)::DOUBLE, (sum(estimated_size) FILTER (table_name IN (${ofNewestOnly})))::DOUBLE
    FROM duckdb_tables() WHERE table_name <> 'generations'`);
  const totalBytes = Number(sized.getRowsJS()[0]?.[0] ?? 0);
  const [all = 0, ofNewest = 0] = (counted.getRowsJS()[0] ?? []).map(Number);
  return { totalBytes, newestBytes: all === 0 ? 0 : (totalBytes * ofNewest) / all };
}

/** Some sessions of a generation that came first before then. */
export async function sessionsBefore(
  connection: DuckDBConnection,
  { number }: Generation,
  beforeMs: number,
): Promise<string[]> {
  const read = await connection.runAndReadAll(
    `SELECT sid FROM ${tableOf("sessions", number)} WHERE received_at_ms < ${beforeMs} LIMIT ${SESSIONS_AT_ONCE}`,
  );
  return read.getRowsJS().map(([sid]) => String(sid));
}
