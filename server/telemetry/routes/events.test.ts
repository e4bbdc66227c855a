import { readdirSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../sample-app.ts";
import { exportEvents } from "../export.ts";
import {
  type SampleTelemetry,
  SID,
  sampleBatch,
  sampleEvent,
  startSampleTelemetry,
} from "../sample-telemetry.ts";

const ODD_TEXTS = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(1)",
  "\t=1",
  "\uff1d1+1",
  "\u00a0\ufeff=1",
  'a "quoted", b',
  "two\nlines",
  "two\r\nlines",
  "ends in \\",
  "ü😀",
];

async function withOddTexts(): Promise<SampleTelemetry> {
  const sample = await startSampleTelemetry();
  await sample.send(sampleBatch(ODD_TEXTS.map((ec, sn) => sampleEvent(sn, { e: "e", ec }))));
  return sample;
}

test("JSON has every event as it came, the oldest first", async () => {
  const { get } = await withOddTexts();
  const response = await get("/api/telemetry/events.json");
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const rows = (await response.json()) as { sn: number; ec: string; "nuwa-qd": null }[];
  expect(rows.map(({ ec }) => ec)).toEqual(ODD_TEXTS);
  expect(rows[3]).toMatchObject({ sid: SID, sn: 3, e: "e", bl: 8000, "nuwa-qd": null });
  expect(rows[3]).toHaveProperty("receivedAtMs", expect.any(Number));
});

test("an export that is compressed makes Node warn of nothing", async () => {
  const { get, send } = await startSampleTelemetry();
  await send(sampleBatch(Array.from({ length: 20 }, (_, sn) => sampleEvent(sn, { e: "e", ec: "code" }))));
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const response = await get("/api/telemetry/events.json");
  expect(response.headers.get("content-encoding")).not.toBeNull();
  expect(await response.json()).toHaveLength(20);
  expect(warned).not.toHaveBeenCalled();
});

test("CSV keeps commas, quotes and line ends within a cell, and no cell is a formula", async () => {
  const { get, folder } = await withOddTexts();
  const response = await get("/api/telemetry/events.csv");
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  const path = join(folder, "events.csv");
  writeFileSync(path, await response.text());
  const texts = (
    await query(`SELECT ec FROM read_csv('${path}', header = true, quote = '"', escape = '"')`)
  ).flat();
  expect(texts).toEqual(ODD_TEXTS.map((text) => (/^\s*[=+\-@\uff1d]/.test(text) ? `'${text}` : text)));
});

test("Parquet has the types of the vocabulary", async () => {
  const { get, folder } = await withOddTexts();
  const response = await get("/api/telemetry/events.parquet");
  expect(response.headers.get("content-type")).toBe("application/vnd.apache.parquet");
  const path = join(folder, "events.parquet");
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  expect((await query(`SELECT ec FROM '${path}'`)).flat()).toEqual(ODD_TEXTS);
  const types = await query(
    `SELECT typeof(sn), typeof("nuwa-qd"), typeof(bs), typeof(sid) FROM '${path}' LIMIT 1`,
  );
  expect(types).toEqual([["BIGINT", "DOUBLE", "BOOLEAN", "VARCHAR"]]);
});

test("session, time and limit narrow what is read", async () => {
  const { get, send } = await startSampleTelemetry();
  const other = "0b0e4aca-7d4b-4d0c-9d5b-2f7b3f1f0a11";
  await send(sampleBatch([0, 1, 2, 3].map((sn) => sampleEvent(sn))));
  await send(sampleBatch([sampleEvent(9)]), { sid: other });
  const numbers = async (path: string) =>
    ((await (await get(`/api/telemetry/${path}`)).json()) as { sn: number }[]).map(({ sn }) => sn);
  expect(await numbers(`sessions/${other}/events.json`)).toEqual([9]);
  expect(await numbers(`sessions/${SID}/events.json?limit=2`)).toEqual([0, 1]);
  const second = sampleEvent(1).ts;
  expect(await numbers(`events.json?fromMs=${second}&toMs=${second + 1}`)).toEqual([1]);
  expect(await numbers("events.json?limit=0")).toEqual([]);
});

test("a file says which film it is, and an answer whether the limit cut it", async () => {
  const { get, send } = await startSampleTelemetry();
  await send(sampleBatch([sampleEvent(0), sampleEvent(1)]));
  const ofSession = { cid: "Sample", sf: "d", st: "v", dropped: 0 };
  for (const [limit, more] of [
    [1, "true"],
    [2, null],
  ] as const) {
    const response = await get(`/api/telemetry/events.json?limit=${limit}`);
    expect(response.headers.get("nuwa-more")).toBe(more);
    expect(await response.json()).toContainEqual(expect.objectContaining({ sid: SID, sn: 0, ...ofSession }));
  }
});

test("a file that is still read lies in no folder any more", async () => {
  const { telemetry, send } = await startSampleTelemetry();
  await send(sampleBatch([sampleEvent(0)]));
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { content } = await exportEvents(telemetry.store, "json", {
    sid: SID,
    fromMs: 0,
    toMs: 1e15,
    limit: 10,
  });
  expect(readdirSync(temporary)).toEqual([]);
  expect(JSON.parse(await text(content))).toEqual([expect.objectContaining({ sid: SID, sn: 0 })]);
});

test("a temporary folder without room is told of, and not the database", async () => {
  const { get } = await startSampleTelemetry();
  const full = vi.spyOn(files, "mkdtemp").mockRejectedValue(Object.assign(new Error(), { code: "ENOSPC" }));
  syncBuiltinESMExports();
  onTestFinished(() => {
    full.mockRestore();
    syncBuiltinESMExports();
  });
  const response = await get("/api/telemetry/events.csv");
  expect([response.status, await response.text()]).toEqual([
    507,
    expect.stringContaining(`"${tmpdir()} has no room`),
  ]);
});

test.each([
  ["events.json?limit=-1", "limit"],
  ["events.json?limit=1000001", "limit"],
  ["events.json?limit=1&limit=2", "limit"],
  ["events.json?fromMs=1;DROP", "fromMs"],
  ["events.csv?formMs=1", "formMs"],
  ["sessions/x'%20OR%201=1/events.json", "sid"],
])("%s is refused, naming %s", async (path, field) => {
  const { get } = await startSampleTelemetry();
  const response = await get(`/api/telemetry/${path}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { field } });
});

async function query(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect();
  return (await connection.runAndReadAll(sql)).getRowsJS() as unknown[][];
}
