import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test, vi } from "vitest";
import type { TelemetryBatch } from "../../player/src/telemetry/vocabulary.ts";
import { createLog } from "../log.ts";
import { temporaryFolder } from "../sample-app.ts";
import { Database } from "./database.ts";
import { SID, sampleBatch, sampleEvent } from "./sample-telemetry.ts";
import { storageProblem } from "./storage-problem.ts";
import { TelemetryStore } from "./store.ts";

/** A batch of this many events from the number on. */
const item = (sn: number, count = 1) => ({
  sid: SID,
  batch: sampleBatch(Array.from({ length: count }, (_, index) => sampleEvent(sn + index))) as TelemetryBatch,
});

/** A promise that waits until it is let go. */
function heldPromise(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release: () => release() };
}

function openStore(directory: string, limits: { maxBytes?: number; maxAgeMs?: number | null } = {}) {
  const logLines: string[] = [];
  const clock = { nowMs: 1_000_000, monotonicMs: 0 };
  const log = createLog("info", (line) => logLines.push(line));
  const store = new TelemetryStore({
    ...{ directory, log, nowMs: () => clock.nowMs, monotonicMs: () => clock.monotonicMs },
    ...limits,
  });
  onTestFinished(() => store.close());
  return { store, logLines, clock };
}

test("what was accepted is there when the file is opened again", async () => {
  const directory = join(temporaryFolder(), "not", "there", "yet");
  const first = openStore(directory).store;
  await first.accept(item(0, 3));
  await first.close();
  expect(await openStore(directory).store.accept(item(2, 2))).toEqual({ accepted: 1, duplicates: 1 });
});

test("a database that grows on after its log was folded into the file holds a few megabytes", async () => {
  const { store } = openStore(temporaryFolder());
  await store.accept(item(0));
  await store.read((connection) => connection.run("CHECKPOINT"));
  await store.accept(item(1));
  expect(await store.memoryBytes()).toBeLessThan(14e6);
});

test("a closed store takes nothing more", async () => {
  const { store } = openStore(temporaryFolder());
  await store.close();
  await expect(store.accept(item(0))).rejects.toMatchObject({ status: 503 });
});

test("a file that another server holds is told once, and used when it is free", async () => {
  const directory = temporaryFolder();
  const holder = await holdFile(directory);
  const { store, logLines, clock } = openStore(directory);
  await store.open();
  await expect(store.accept(item(0))).rejects.toMatchObject({
    kind: "locked",
    status: 503,
    retryAfterSeconds: 2,
  });
  clock.monotonicMs += 2000;
  await expect(store.accept(item(0))).rejects.toMatchObject({ kind: "locked" });
  expect(logLines).toHaveLength(1);
  expect(logLines[0]).toMatch(/process \d+, such as another server of this clone, keeps its telemetry there/);
  await holder.end();
  await expect(store.accept(item(0)), "not tried again within a second").rejects.toMatchObject({
    kind: "locked",
  });
  clock.monotonicMs += 2000;
  expect(await store.accept(item(0))).toEqual({ accepted: 1, duplicates: 0 });
  expect(logLines[1]).toContain("telemetry is stored again");
});

test.each([
  ["text", () => Buffer.from("this is no database\n".repeat(1000))],
  [
    "a file whose head was overwritten",
    (good: Buffer) => Buffer.concat([Buffer.alloc(12_288, 7), good.subarray(12_288)]),
  ],
  [
    "a file whose headers were overwritten",
    (good: Buffer) => Buffer.concat([good.subarray(0, 4096), Buffer.alloc(8192, 7)]),
  ],
])("%s is kept under another name, and a new file begun", async (_what, damage) => {
  const directory = temporaryFolder();
  const good = openStore(directory).store;
  await good.accept(item(0, 3));
  await good.close();
  const path = join(directory, "telemetry.duckdb");
  const damaged = damage(readFileSync(path));
  writeFileSync(path, damaged);
  const { store, logLines } = openStore(directory);
  expect(await store.accept(item(0))).toEqual({ accepted: 1, duplicates: 0 });
  const kept = readdirSync(directory).find((name) => name.startsWith("damaged-")) ?? "";
  expect(readFileSync(join(directory, kept)).equals(damaged)).toBe(true);
  expect(logLines.join("")).toContain(kept);
});

test.each([
  ["an end that was cut off", (log: Buffer) => log.subarray(0, log.length - 10), 30],
  [
    "an end of zeros, as a power cut leaves it",
    (log: Buffer) => Buffer.concat([log, Buffer.alloc(5000)]),
    40,
  ],
  [
    "a byte changed in the last entry",
    (log: Buffer) => Buffer.from(log.with(log.length - 100, ~(log.at(-100) ?? 0))),
    30,
  ],
  ["an end of anything", (log: Buffer) => Buffer.concat([log, Buffer.alloc(500, 9)]), 40],
])(
  "of a log with %s nothing is lost that stands before it, nor what comes after",
  async (_what, damage, remaining) => {
    const good = temporaryFolder();
    const { store } = openStore(good);
    for (const sn of [0, 10, 20, 30]) await store.accept(item(sn, 10));
    const directory = temporaryFolder();
    copyFileSync(join(good, "telemetry.duckdb"), join(directory, "telemetry.duckdb"));
    writeFileSync(
      join(directory, "telemetry.duckdb.wal"),
      damage(readFileSync(join(good, "telemetry.duckdb.wal"))),
    );
    const mended = openStore(directory).store;
    expect(await mended.accept(item(0, 50))).toEqual({ accepted: 50 - remaining, duplicates: remaining });
    const crashed = temporaryFolder(); // the files as a crash would leave them now
    for (const name of ["telemetry.duckdb", "telemetry.duckdb.wal"]) {
      copyFileSync(join(directory, name), join(crashed, name));
    }
    expect(await openStore(crashed).store.accept(item(0, 50))).toEqual({ accepted: 0, duplicates: 50 });
  },
);

test("a log that cannot be replayed for want of memory is kept, and replayed once there is some", async () => {
  const running = temporaryFolder();
  const before = openStore(running).store;
  for (let batch = 0; batch < 15; batch += 1) await before.accept(item(batch * 200, 200));
  const directory = temporaryFolder(); // the files as a crash would leave them now
  const names = ["telemetry.duckdb", "telemetry.duckdb.wal"];
  for (const name of names) copyFileSync(join(running, name), join(directory, name));
  const { create } = DuckDBInstance;
  vi.spyOn(DuckDBInstance, "create").mockImplementationOnce((path, settings) =>
    create.call(DuckDBInstance, path, { ...settings, memory_limit: "4MB" }),
  );
  onTestFinished(() => void vi.restoreAllMocks());
  const { store, logLines, clock } = openStore(directory);
  await expect(store.accept(item(0))).rejects.toMatchObject({
    ...{ kind: "starved", status: 503 },
    message: expect.stringContaining("Failure while replaying WAL"),
  });
  expect(readdirSync(directory).toSorted()).toEqual(names);
  clock.monotonicMs += 2000;
  expect(await store.accept(item(2999, 2))).toEqual({ accepted: 1, duplicates: 1 });
  expect(logLines.join("")).not.toContain("damaged");
});

test.each([
  [
    "starved",
    `Failure while replaying WAL file "a.wal": Failed to commit: could not allocate block of size 64.0 KiB (11.4 MiB/11.4 MiB used)`,
  ],
  ["starved", 'IO Error: Failure while replaying WAL file "a.wal": Could not read: Input/output error'],
  ["starved", "Out of Memory Error: failed to offload data block of size 64.0 KiB"],
  ["full", 'IO Error: Failure while replaying WAL file "a.wal": No space left on device'],
  ["unavailable", 'Failure while replaying WAL file "a.wal": what nobody has heard of'],
  [
    "damaged",
    'IO Error: Failure while replaying WAL file "a.wal": Corrupt WAL file: entry at byte position 24 computed checksum 1 does not match stored checksum 2',
  ],
  ["damaged", 'Failure while replaying WAL file "a.wal": Serialization Error: Failed to deserialize'],
])("it is taken as %s, not by where it happened: %s", (kind, text) => {
  expect(storageProblem(new Error(text), "a")).toMatchObject({ kind });
});

test("a file that cannot be had is told, and nothing is set aside", async () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "telemetry.duckdb"));
  const { store, logLines } = openStore(directory);
  await expect(store.accept(item(0))).rejects.toMatchObject({ name: "StorageProblem", status: 503 });
  expect(logLines).toHaveLength(1);
  expect(readdirSync(directory)).toEqual(["telemetry.duckdb"]);
});

test("a store that could not be opened is tried again by a clock that nobody sets", async () => {
  const directory = temporaryFolder();
  const holder = await holdFile(directory);
  const { store, clock } = openStore(directory);
  await expect(store.accept(item(0))).rejects.toMatchObject({ kind: "locked" });
  await holder.end();
  clock.nowMs -= 3_600_000;
  clock.monotonicMs += 2000;
  expect(await store.accept(item(0))).toEqual({ accepted: 1, duplicates: 0 });
});

const DAY_MS = 86_400_000;
const ofSession = (sid: string, sn = 0) => ({ sid, batch: item(sn).batch });

/** Sessions that are told, by lists and by events. */
async function told(store: TelemetryStore): Promise<Set<unknown>> {
  const rows = await store.read(async (connection) =>
    (
      await connection.runAndReadAll(
        "SELECT sid FROM sessions SEMI JOIN session_sums USING (sid) SEMI JOIN events USING (sid)",
      )
    ).getRowsJS(),
  );
  return new Set(rows.map(([sid]) => sid));
}

async function rowCount(store: TelemetryStore, table: string): Promise<number> {
  const counted = await store.read((connection) =>
    connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${table}`),
  );
  return Number(counted.getRowsJS()[0]?.[0]);
}

test("a file at its limit goes on: its oldest sessions give way, and space becomes free", async () => {
  const { store, logLines, clock } = openStore(temporaryFolder(), { maxBytes: 4e6 });
  const sids: string[] = [];
  const sizes: number[] = [];
  for (let day = 0; day < 16; day += 1) {
    const [sid, events] = [randomUUID(), Array.from({ length: 3000 }, (_, sn) => sampleEvent(sn))];
    sids.push(sid);
    expect(await store.accept({ sid, batch: sampleBatch(events) as TelemetryBatch })).toMatchObject({
      accepted: 3000,
    });
    clock.nowMs += DAY_MS;
    clock.monotonicMs += 60_000;
    sizes.push(store.fileBytes);
  }
  await store.sweep();
  const kept = await told(store);
  expect(kept.size).toBeGreaterThan(2);
  expect(kept).toEqual(new Set(sids.slice(-kept.size)));
  expect(Math.max(...sizes)).toBeLessThan(14e6);
  expect(logLines.join("")).toContain("is as large as it may become: its oldest sessions gave way");
}, 60_000);

test("sessions are erased when they are too old, whatever came of them since, and others stay", async () => {
  const [old, young, youngest] = [randomUUID(), randomUUID(), randomUUID()];
  const { store, clock } = openStore(temporaryFolder(), { maxAgeMs: 20 * DAY_MS });
  await store.accept(ofSession(old));
  clock.nowMs += 10 * DAY_MS;
  await store.sweep();
  await store.accept(ofSession(young));
  clock.nowMs += 9 * DAY_MS;
  await store.sweep();
  await store.accept(ofSession(old, 1));
  await store.accept(ofSession(youngest));
  expect(await told(store)).toEqual(new Set([old, young, youngest]));
  clock.nowMs += 2 * DAY_MS;
  await store.sweep();
  expect(await told(store)).toEqual(new Set([young, youngest]));
  expect(await rowCount(store, "events")).toBe(2);
  clock.nowMs += 10 * DAY_MS;
  await store.sweep();
  expect(await told(store)).toEqual(new Set([youngest]));
  expect(await rowCount(store, "generations")).toBe(3);
});

test("batches are stored while much is erased", async () => {
  const { store, clock } = openStore(temporaryFolder(), { maxAgeMs: 20 * DAY_MS });
  for (let sessions = 0; sessions < 1200; sessions += 400)
    await store.acceptAll(
      Array.from({ length: 400 }, () => ofSession(randomUUID())),
      null,
    );
  clock.nowMs += 30 * DAY_MS;
  let isSwept = false;
  const sweeping = store.sweep().then(() => {
    isSwept = true;
  });
  expect(await store.accept(item(0))).toEqual({ accepted: 1, duplicates: 0 });
  expect(isSwept).toBe(false);
  await sweeping;
  expect(await told(store)).toEqual(new Set([SID]));
});

test("after a change that failed the next one goes to the file as it is then", async () => {
  const { store, clock } = openStore(temporaryFolder());
  await store.accept(item(0));
  await store.read((connection) => connection.run("DROP TABLE session_sums_1"));
  const failed = await Promise.allSettled([store.accept(item(1)), store.erase(randomUUID()), store.sweep()]);
  expect(failed[0].status).toBe("rejected");
  clock.monotonicMs += 2000;
  expect(await store.accept(item(0, 3))).toEqual({ accepted: 2, duplicates: 1 });
});

test("no more than four reads are under way at a time", async () => {
  const { store } = openStore(temporaryFolder());
  const held = heldPromise();
  const reads = Array.from({ length: 4 }, () => store.read(() => held.promise));
  await expect(store.read(() => held.promise)).rejects.toMatchObject({ kind: "busy", status: 503 });
  held.release();
  await Promise.all(reads);
  expect(await store.sessionCount()).toBe(0);
});

test("a file that is read is closed after a change that failed once the read is over", async () => {
  const { store, logLines } = openStore(temporaryFolder());
  await store.accept(item(0));
  const held = heldPromise();
  const reading = store.read(() => held.promise);
  await store.read((connection) => connection.run("DROP TABLE session_sums_1"));
  const close = vi.spyOn(Database.prototype, "close");
  onTestFinished(() => close.mockRestore());
  const failing = expect(store.accept(item(1))).rejects.toMatchObject({ status: 503 });
  await vi.waitFor(() => expect(logLines.join()).toContain("telemetry is not stored"));
  await new Promise(setImmediate);
  expect(close).not.toHaveBeenCalled();
  held.release();
  await reading;
  await failing;
  expect(close).toHaveBeenCalledOnce();
});

test("an event of a session that began before another generation did is known again", async () => {
  const directory = temporaryFolder();
  const { store, clock } = openStore(directory, { maxAgeMs: 20 * DAY_MS });
  await store.accept(item(0, 2));
  clock.nowMs += 3 * DAY_MS;
  await store.sweep();
  expect(await rowCount(store, "generations")).toBe(2);
  expect(await store.accept(item(1, 2))).toEqual({ accepted: 1, duplicates: 1 });
  expect(await store.sessionCount()).toBe(1);
  await store.close();
  const again = openStore(directory).store;
  expect(await again.accept(item(0, 4))).toEqual({ accepted: 1, duplicates: 3 });
  expect(await rowCount(again, "events")).toBe(4);
});

test("a session is erased with all that is kept of it, and nothing else is", async () => {
  const { store } = openStore(temporaryFolder());
  const [one, other] = [randomUUID(), randomUUID()];
  await store.accept(ofSession(one));
  await store.accept(ofSession(other));
  expect(await store.erase(one)).toBe(true);
  expect(await store.erase(one)).toBe(false);
  for (const table of ["events", "sessions", "session_sums"]) expect(await rowCount(store, table)).toBe(1);
  expect(await told(store)).toEqual(new Set([other]));
});

test("a session that was erased does not come back with what its browser kept", async () => {
  const directory = temporaryFolder();
  const { store } = openStore(directory);
  const [one, other] = [randomUUID(), randomUUID()];
  await store.accept(ofSession(one));
  await store.erase(one);
  const both = await store.acceptAll([ofSession(one, 1), ofSession(other)], null);
  expect(both).toEqual({ accepted: 1, duplicates: 1 });
  await store.close();
  const { store: again, clock } = openStore(directory);
  expect(await again.accept(ofSession(one, 2))).toEqual({ accepted: 0, duplicates: 1 });
  expect(await told(again)).toEqual(new Set([other]));
  expect(await rowCount(again, "erasures")).toBe(1);
  clock.nowMs += 32 * DAY_MS;
  await again.sweep();
  expect(await rowCount(again, "erasures")).toBe(0);
});

test("events that are older than sessions may become are taken, and not stored", async () => {
  const { store, clock } = openStore(temporaryFolder(), { maxAgeMs: 20 * DAY_MS });
  const begunAtMs = clock.nowMs;
  clock.nowMs += 20.5 * DAY_MS;
  const batch = sampleBatch([
    { ...sampleEvent(0), ts: begunAtMs },
    { ...sampleEvent(1), ts: begunAtMs + DAY_MS },
  ]) as TelemetryBatch;
  expect(await store.accept({ sid: SID, batch })).toEqual({ accepted: 1, duplicates: 1 });
  const before = {
    sid: randomUUID(),
    batch: sampleBatch([{ ...sampleEvent(0), ts: begunAtMs }]) as TelemetryBatch,
  };
  expect(await store.accept(before)).toEqual({ accepted: 0, duplicates: 1 });
  expect(await told(store)).toEqual(new Set([SID]));
});

test.each([
  ["older than sessions may become", 20 * DAY_MS, ["damaged-4-telemetry.duckdb"]],
  ["more than two", null, ["damaged-3-telemetry.duckdb", "damaged-4-telemetry.duckdb"]],
])("of damaged files those go that are %s", async (_what, maxAgeMs, left) => {
  const directory = temporaryFolder();
  const { store, clock } = openStore(directory, { maxAgeMs });
  clock.nowMs += 100 * DAY_MS;
  for (const [name, days] of [
    ["damaged-1", 60],
    ["damaged-2", 50],
    ["damaged-3", 40],
    ["damaged-4", 1],
  ] as const) {
    const file = join(directory, `${name}-telemetry.duckdb`);
    writeFileSync(file, "");
    utimesSync(file, 0, (clock.nowMs - days * DAY_MS) / 1000);
  }
  await store.sweep();
  expect(readdirSync(directory).filter((name) => name.startsWith("damaged-"))).toEqual(left);
});

test("a file of a version without generations is taken over as it is", async () => {
  const directory = temporaryFolder();
  const instance = await DuckDBInstance.create(join(directory, "telemetry.duckdb"));
  const connection = await instance.connect();
  await connection.run(
    "CREATE TABLE sessions (sid VARCHAR, cid VARCHAR, sf VARCHAR, st VARCHAR, v BIGINT, dropped BIGINT, received_at_ms BIGINT, PRIMARY KEY (sid))",
  );
  await connection.run(
    "CREATE TABLE events (sid VARCHAR, sn BIGINT, ts BIGINT, e VARCHAR, received_at_ms BIGINT, PRIMARY KEY (sid, sn))",
  );
  await connection.run(`INSERT INTO sessions VALUES ('${SID}', 'Sample', 'd', 'v', 2, 0, 7)`);
  await connection.run(`INSERT INTO events VALUES ('${SID}', 0, 5, 't', 7)`);
  connection.closeSync();
  instance.closeSync();
  const { store } = openStore(directory);
  expect(await store.accept(item(0, 2))).toEqual({ accepted: 1, duplicates: 1 });
  expect(await told(store)).toEqual(new Set([SID]));
  const begun = await store.read((reading) => reading.runAndReadAll("SELECT begun_at_ms FROM generations"));
  expect(begun.getRowsJS()).toEqual([[7n]]);
});

test("a file of a version without today's columns gains them", async () => {
  const directory = temporaryFolder();
  const { store } = openStore(directory);
  await store.accept(item(0));
  await store.read((connection) => connection.run('ALTER TABLE events_1 DROP COLUMN "nuwa-decided"'));
  await store.close();
  const again = openStore(directory).store;
  const event = sampleEvent(1, { "nuwa-decided": "NuwaRule" });
  await again.accept({ sid: SID, batch: sampleBatch([event]) as TelemetryBatch });
  const rows = await again.read(async (connection) =>
    (await connection.runAndReadAll('SELECT "nuwa-decided" FROM events ORDER BY sn')).getRowsJS(),
  );
  expect(rows).toEqual([[null], ["NuwaRule"]]);
});

test("the largest number of dropped events stays", async () => {
  const { store } = openStore(temporaryFolder());
  for (const dropped of [0, 7, 3]) {
    await store.accept({ sid: SID, batch: sampleBatch([], { dropped }) as TelemetryBatch });
  }
  const rows = await store.read(async (connection) =>
    (await connection.runAndReadAll("SELECT dropped::DOUBLE FROM sessions")).getRowsJS(),
  );
  expect(rows).toEqual([[7]]);
});

/** Another process with the file open. */
async function holdFile(directory: string): Promise<{ end(): Promise<void> }> {
  const program = `import { DuckDBInstance } from "@duckdb/node-api";
    await DuckDBInstance.create(process.argv[1]);
    console.log("held");
    process.stdin.resume();`;
  const args = ["--input-type=module", "--eval", program, join(directory, "telemetry.duckdb")];
  const child = spawn(process.execPath, args, { cwd: fileURLToPath(new URL(".", import.meta.url)) });
  await once(child.stdout, "data");
  return {
    end: async () => {
      child.stdin.end();
      child.kill();
      await once(child, "close");
    },
  };
}
