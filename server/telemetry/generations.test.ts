import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { Database } from "./database.ts";

test("of a version without generations all is one, with words that the vocabulary has no more", async () => {
  const path = join(temporaryFolder(), "telemetry.duckdb");
  await makeOlder(path, { sessions: 4, eventsOfEach: 50 });
  for (const _opening of ["the first", "the next"]) {
    expect(await generationsOf(path)).toEqual([[1, 1000, 4, 200, 5100]]);
  }
});

async function makeOlder(
  path: string,
  { sessions, eventsOfEach }: { readonly sessions: number; readonly eventsOfEach: number },
): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(
    "CREATE TABLE sessions (sid VARCHAR, cid VARCHAR, sf VARCHAR, st VARCHAR, v BIGINT, dropped BIGINT, received_at_ms BIGINT, PRIMARY KEY (sid))",
  );
  await connection.run(
    "CREATE TABLE events (sid VARCHAR, sn BIGINT, ts BIGINT, e VARCHAR, laughs BIGINT, received_at_ms BIGINT, PRIMARY KEY (sid, sn))",
  );
  for (let number = 1; number <= sessions; number += 1) {
    const sid = randomUUID();
    await connection.run(
      `INSERT INTO sessions VALUES ('${sid}', 'Sample', 'd', 'v', 2, 0, ${1000 * number})`,
    );
    await connection.run(
      `INSERT INTO events SELECT '${sid}', sn, 5, 't', sn + 1, ${1000 * number} + sn FROM range(${eventsOfEach}) numbers (sn)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
}

/** Opened as a server does, with number, begin, sessions, events and laughs of each generation. */
async function generationsOf(path: string): Promise<unknown[][]> {
  const database = await Database.open(path);
  const connection = await database.connect();
  const read = await connection.runAndReadAll(`
    SELECT number::INTEGER, begun_at_ms::INTEGER, count(DISTINCT sid)::INTEGER, count(*)::INTEGER, sum(laughs)::INTEGER
    FROM generations JOIN events ON generation = number SEMI JOIN sessions USING (sid, generation)
    SEMI JOIN session_sums USING (sid, generation) GROUP BY number, begun_at_ms ORDER BY number`);
  connection.closeSync();
  await database.close();
  return read.getRowsJS();
}
