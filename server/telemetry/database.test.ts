import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { Database } from "./database.ts";
import { sampleEvent } from "./sample-telemetry.ts";

async function openSample(): Promise<Database> {
  const database = await Database.open(join(temporaryFolder(), "telemetry.duckdb"), { nowMs: 0 });
  onTestFinished(() => database.close());
  return database;
}

/** Writes new sessions with an event each, into the log. */
async function writeSessions(database: Database, count: number, receivedAtMs: number): Promise<void> {
  const sids = Array.from({ length: count }, () => randomUUID());
  const session = { cid: "Sample", sf: "d", st: "v", v: 2, dropped: 0, received_at_ms: receivedAtMs };
  const inserted = await database.write(
    sids.map((sid) => ({ sid, ...session })),
    sids.map((sid) => ({ sid, ...sampleEvent(0), received_at_ms: receivedAtMs })),
  );
  expect(inserted).toHaveLength(count);
}

/** After which the file's size tells of all that was written. */
async function foldLog(database: Database): Promise<void> {
  const connection = await database.connect();
  await connection.run("CHECKPOINT");
  connection.closeSync();
}

/** Number and sessions of each generation that has any. */
async function sessionCounts(database: Database): Promise<unknown[][]> {
  const connection = await database.connect();
  const counted = await connection.runAndReadAll(
    "SELECT generation, count(*)::INTEGER FROM sessions GROUP BY ALL ORDER BY ALL",
  );
  connection.closeSync();
  return counted.getRowsJS();
}

/** Bytes of the log after each of some writes of new sessions. */
async function logSizes(options: { maxIndexBytes?: number } = {}): Promise<number[]> {
  const path = join(temporaryFolder(), "telemetry.duckdb");
  const database = await Database.open(path, options);
  onTestFinished(() => database.close());
  const sizes: number[] = [];
  for (let write = 0; write < 3; write += 1) {
    await writeSessions(database, 50, 0);
    sizes.push(statSync(`${path}.wal`).size);
  }
  return sizes;
}

test("the log is folded into the file as soon as indexes take more memory than they may", async () => {
  const [, second = 0, third = 0] = await logSizes();
  expect(third).toBeGreaterThan(second);
  const [, folded = 0, again = 0] = await logSizes({ maxIndexBytes: 0 });
  expect(again, "of one write alone").toBeLessThan(folded * 1.5);
  expect(again).toBeLessThan(third / 2);
});

test("what is over the limit in one generation stays until the next one has its share", async () => {
  const database = await openSample();
  const limits = { maxBytes: 1e6, maxAgeMs: null };
  await writeSessions(database, 2000, 0);
  await foldLog(database);
  expect(await database.keepWithin(limits, 1)).toBe(false);
  await writeSessions(database, 20, 2);
  expect(await database.keepWithin(limits, 3)).toBe(false);
  expect(await sessionCounts(database)).toEqual([
    [1, 2000],
    [2, 20],
  ]);
  await writeSessions(database, 500, 4);
  expect(await database.keepWithin(limits, 5)).toBe(true);
  expect(await sessionCounts(database)).toEqual([[2, 520]]);
});

test("no more gives way where what was too old has made the room", async () => {
  const database = await openSample();
  const daysMs = 86_400_000;
  const limits = { maxBytes: 2.3e6, maxAgeMs: 10 * daysMs };
  for (const [day, count] of [
    [0, 2000],
    [5, 100],
    [7, 100],
  ] as const) {
    await database.keepWithin({ ...limits, maxBytes: 1e9 }, day * daysMs);
    await writeSessions(database, count, day * daysMs);
    await foldLog(database);
  }
  expect(await sessionCounts(database)).toHaveLength(3);
  expect(await database.keepWithin(limits, 16 * daysMs)).toBe(false);
  expect((await sessionCounts(database)).map(([, count]) => count)).toEqual([100, 100]);
});
