import type { DuckDBConnection } from "@duckdb/node-api";
import { createSums } from "./sums.ts";
import { createTables, TABLES, tableOf } from "./tables.ts";

/** Sessions that came first in one span of time, with all of their events: tables of their own, since those can be dropped. */
export interface Generation {
  /** 1 and on, in the order in which they began. */
  readonly number: number;
  readonly begunAtMs: number;
}

/** Whether there are any or not. */
export async function createGenerationList(connection: DuckDBConnection): Promise<void> {
  await connection.run("CREATE TABLE IF NOT EXISTS generations (number BIGINT, begun_at_ms BIGINT)");
}

/** Opens those that are there, and begins the first; brings their tables up to this version. */
export async function openGenerations(connection: DuckDBConnection, nowMs: number): Promise<Generation[]> {
  await createGenerationList(connection);
  const read = await connection.runAndReadAll("SELECT number, begun_at_ms FROM generations ORDER BY number");
  const known = read.getRowsJS().map(([number, at]) => ({ number: Number(number), begunAtMs: Number(at) }));
  if (known.length === 0) known.push(await beginGeneration(connection, 1, nowMs));
  for (const { number } of known) {
    await createTables(connection, number);
    await createSums(connection, number);
  }
  await createViews(connection, known);
  return known;
}

/** Its tables are in no view yet. */
export async function beginGeneration(
  connection: DuckDBConnection,
  number: number,
  begunAtMs: number,
): Promise<Generation> {
  await connection.run(`INSERT INTO generations VALUES (${number}, ${begunAtMs})`);
  await createTables(connection, number);
  await createSums(connection, number);
  return { number, begunAtMs };
}

/** Frees its space with the next fold of the log. Its tables must have left the views. */
export async function dropGeneration(connection: DuckDBConnection, { number }: Generation): Promise<void> {
  for (const table of TABLES) await connection.run(`DROP TABLE ${tableOf(table, number)}`);
  await connection.run(`DELETE FROM generations WHERE number = ${number}`);
}

/** Whoever reads sees all generations as one: `events`, `sessions` and `session_sums`. */
export async function createViews(
  connection: DuckDBConnection,
  generations: readonly Generation[],
): Promise<void> {
  for (const table of TABLES) {
    const parts = generations.map(
      ({ number }) => `SELECT *, ${number} AS generation FROM ${tableOf(table, number)}`,
    );
    await connection.run(`CREATE OR REPLACE VIEW ${table} AS ${parts.join(" UNION ALL BY NAME ")}`);
  }
}
