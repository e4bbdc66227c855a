import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { adoptOlderTables } from "./adoption.ts";
import { Database } from "./database.ts";

const SESSIONS = Array.from({ length: 40 }, () => randomUUID());
const EVENTS_OF_EACH = 50;

/** A file of a version without generations, with a word that is in the vocabulary no more. */
async function openOlder() {
  const path = join(temporaryFolder(), "telemetry.duckdb");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  await connection.run(
    "CREATE TABLE sessions (sid VARCHAR, cid VARCHAR, sf VARCHAR, st VARCHAR, v BIGINT, dropped BIGINT, received_at_ms BIGINT, PRIMARY KEY (sid))",
  );
  await connection.run(
    "CREATE TABLE events (sid VARCHAR, sn BIGINT, ts BIGINT, e VARCHAR, laughs BIGINT, received_at_ms BIGINT, PRIMARY KEY (sid, sn))",
  );
  for (const [index, sid] of SESSIONS.entries()) {
    await connection.run(`INSERT INTO sessions VALUES ('${sid}', 'Sample', 'd', 'v', 2, 0, ${1000 * index})`);
    await connection.run(
      `INSERT INTO events SELECT '${sid}', sn, 5, 't', sn + 1, ${1000 * index} + sn FROM range(${EVENTS_OF_EACH}) numbers (sn)`,
    );
  }
  return { path, connection, close };
}

/** Opened as a server does, with number, begin, sessions, events and laughs of each generation. */
async function reopened(path: string): Promise<unknown[][]> {
  const database = await Database.open(path);
  onTestFinished(() => database.close());
  const connection = await database.connect();
  const read = await connection.runAndReadAll(`
    SELECT number::INTEGER, begun_at_ms::INTEGER, count(DISTINCT sid)::INTEGER, count(*)::INTEGER, sum(laughs)::INTEGER
    FROM generations JOIN events ON generation = number SEMI JOIN sessions USING (sid, generation)
    SEMI JOIN session_sums USING (sid, generation) GROUP BY number, begun_at_ms ORDER BY number`);
  connection.closeSync();
  return read.getRowsJS();
}

const QUARTERS = [0, 1, 2, 3].map((quarter) => [quarter + 1, 10_000 * quarter, 10, 500, 12_750]);

test.each([500, 100])(
  "many events without generations are spread over some, by when their sessions came first, %s at once",
  async (maxEventsAtOnce) => {
    const { path, connection, close } = await openOlder();
    const onCopy = vi.fn();
    await adoptOlderTables(connection, { nowMs: 0, freeBytes: 1e9, minEvents: 500, maxEventsAtOnce, onCopy });
    close();
    expect(onCopy).toHaveBeenCalledExactlyOnceWith(2000);
    expect(await reopened(path)).toEqual(QUARTERS);
  },
);

test("what a crash left half copied is copied anew", async () => {
  const { path, connection, close } = await openOlder();
  await connection.run("CREATE TABLE events_2 AS FROM events LIMIT 70");
  await connection.run("CREATE TABLE sessions_9 AS FROM sessions");
  await adoptOlderTables(connection, { nowMs: 0, freeBytes: 1e9, minEvents: 500 });
  const left = await connection.runAndReadAll("SELECT count(*)::INTEGER FROM duckdb_tables()");
  expect(left.getRowsJS()).toEqual([[3 * QUARTERS.length + 1]]);
  close();
  expect(await reopened(path)).toEqual(QUARTERS);
});

test.each([
  ["few events", { freeBytes: 1e9, minEvents: 1001 }],
  ["a disk without room for a copy", { freeBytes: 1e5, minEvents: 500 }],
])("of %s one generation is made", async (_what, options) => {
  const { path, connection, close } = await openOlder();
  await connection.run("CHECKPOINT");
  const onCopy = vi.fn();
  await adoptOlderTables(connection, { nowMs: 0, ...options, onCopy });
  close();
  expect(onCopy).not.toHaveBeenCalled();
  expect(await reopened(path)).toEqual([[1, 0, 40, 2000, 51_000]]);
});
