import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeParquet } from "./parquet.ts";
import { sampleFlow, samplePlan, sampleResult } from "./samples.ts";
import type { RunRecord } from "./store.ts";
import { flowTable, intervalTable, runTable } from "./tables.ts";

const FLOWS = [
  sampleFlow(),
  sampleFlow({ scheme: "nuwa", source: { kind: "on-off", onBytes: 9, offSeconds: 1 } }),
];
const PLAN = samplePlan({ durationSeconds: 1, arm: { name: "it's two", flows: FLOWS } });
const FINISHED: RunRecord = {
  ...{ plan: PLAN, failure: null, finishedAt: "2026-11-21T12:00:00.000Z", wallSeconds: 0.5 },
  result: sampleResult(PLAN, [6, 18], 20),
};
const FAILED: RunRecord = {
  ...{ plan: { ...PLAN, seed: 2 }, result: null, finishedAt: "2026-11-21T12:00:01.000Z", wallSeconds: 0.1 },
  failure: { scheme: "nuwa", message: "window of -1 bytes", state: {} },
};
const RUNS = [
  { key: "one", record: FINISHED },
  { key: "two", record: FAILED },
];

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "nuwa-parquet-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function rows(query: string) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(query)).getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

test("rows come back as they were written, each file with what made it", async () => {
  await writeParquet(directory, [runTable(RUNS), flowTable(RUNS), intervalTable(RUNS)], {
    command: "bench 'a'",
  });
  const from = (name: string) => `'${join(directory, `${name}.parquet`)}'`;
  expect(
    await rows(
      `SELECT run, arm, seed, status, failed_scheme, queue_packets, jain_last_30_s FROM ${from("runs")}`,
    ),
  ).toEqual([
    {
      run: "one",
      arm: "it's two",
      seed: 1,
      status: "finished",
      failed_scheme: null,
      queue_packets: 300n,
      jain_last_30_s: 0.8,
    },
    {
      run: "two",
      arm: "it's two",
      seed: 2,
      status: "failed",
      failed_scheme: "nuwa",
      queue_packets: 300n,
      jain_last_30_s: null,
    },
  ]);
  expect(await rows(`SELECT run, flow, scheme, source, goodput_bits_per_s FROM ${from("flows")}`)).toEqual([
    { run: "one", flow: 0, scheme: "cubic", source: "bulk", goodput_bits_per_s: 6e6 },
    { run: "one", flow: 1, scheme: "nuwa", source: "on-off/9/1", goodput_bits_per_s: 18e6 },
  ]);
  expect(
    await rows(
      `SELECT flow, count(*) AS n, avg(delivered_bits_per_s) AS mean FROM ${from("intervals")} GROUP BY flow ORDER BY flow`,
    ),
  ).toEqual([
    { flow: 0, n: 10n, mean: 6e6 },
    { flow: 1, n: 10n, mean: 18e6 },
  ]);
  const about = await rows(
    `SELECT decode(key) AS name, decode(value) AS value FROM parquet_kv_metadata(${from("runs")})`,
  );
  expect(about).toEqual([{ name: "command", value: "bench 'a'" }]);
});
