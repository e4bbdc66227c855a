import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadedLink } from "./matrix.ts";
import type { Place } from "./plan.ts";
import { type KeyedRun, keyedRuns, type RunAllOptions, runAll } from "./run-all.ts";
import { sampleFlow, samplePlan } from "./samples.ts";
import { RunStore } from "./store.ts";

/** Answers at once; a run of the scheme "bad" is a scheme's failure, one of "deadly" is the process's end. */
const SIMULATOR = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, flows: [{ scheme }] } = JSON.parse(line);
  if (scheme === "deadly") process.exit(3);
  const error = { scheme, message: "window of -1 bytes", state: { cwnd_bytes: -1 } };
  const good = { flows: [], link: { queueing_delay: null }, intervals: { time_s: [], capacity_bits_per_s: [], flows: [] } };
  console.log(JSON.stringify(scheme === "bad" ? { id, error } : { id, ...good }));
});`;

const LINK = loadedLink(
  { trace: "24mbit", delayMs: 20, queuePackets: 300, discipline: "droptail", lossRatio: 0 },
  { name: "24mbit", downlink: "1\n", uplink: "1\n", downlinkSha256: "a", uplinkSha256: "a" },
);

let directory: string;
let output: PassThrough;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "nuwa-runs-"));
  output = new PassThrough();
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** Knows of no policy. */
const POLICY_CHECKER = `
console.log(JSON.stringify(Object.fromEntries(process.argv.slice(1).map((name) => [name, "no policy " + name]))));`;

function run(scheme: string, seed: number, place: Place = "simulation"): KeyedRun {
  const plan = samplePlan({ place, seed, arm: { name: scheme, flows: [sampleFlow({ scheme })] } });
  return { key: `${scheme}-${seed}`, plan, link: LINK };
}

async function start(runs: readonly KeyedRun[], changes: Partial<RunAllOptions> = {}): Promise<RunStore> {
  const store = await RunStore.open(directory);
  const { signal } = new AbortController();
  const options = { runs, store, signal, output, mahimahi: null, qlogDirectory: null };
  const node = (script: string) => [process.execPath, "-e", script, "--"] as const;
  await runAll({ ...options, simulator: node(SIMULATOR), policyChecker: node(POLICY_CHECKER), ...changes });
  return store;
}

test("a run that fails is recorded with its name and state, and the others go on", async () => {
  const store = await start([run("good", 1), run("bad", 1), run("deadly", 1), run("good", 2)]);
  expect((await store.read("bad-1"))?.failure).toEqual({
    ...{ scheme: "bad", message: "window of -1 bytes", state: { cwnd_bytes: -1 } },
  });
  expect((await store.read("deadly-1"))?.failure?.message).toContain("ended early (exit status 3)");
  expect((await store.read("good-1"))?.result).not.toBeNull();
  expect((await store.read("good-2"))?.result).not.toBeNull();
  const said = String(output.read());
  expect(said).toContain("failed: bad over 24mbit (simulation), seed 1: window of -1 bytes");
  expect(said).toContain("4 of 4 runs");
});

test("an emulated run without its policy is refused before it starts, and the others go on", async () => {
  const store = await start([run("owl", 1, "relay"), run("good", 1)]);
  const record = await store.read("owl-1");
  expect(record?.failure).toEqual({ scheme: "owl", message: "no policy owl", state: {} });
  expect(record?.wallSeconds).toBeLessThan(1);
  expect((await store.read("good-1"))?.result).not.toBeNull();
});

test.each([1, 3])("%i simulations are made side by side", async (jobs) => {
  const log = join(directory, "started");
  const script = `require("node:fs").appendFileSync(${JSON.stringify(log)}, process.pid + "\\n");${SIMULATOR}`;
  const runs = [1, 2, 3, 4, 5].map((seed) => run("good", seed));
  await start(runs, { jobs, simulator: [process.execPath, "-e", script] });
  expect((await readFile(log, "utf8")).trim().split("\n")).toHaveLength(jobs);
  expect(String(output.read())).toContain("5 of 5 runs");
});

test("started again it goes on: what is finished stays, what failed is tried again", async () => {
  await start([run("good", 1), run("bad", 1)]);
  const store = await RunStore.open(directory);
  const before = await store.read("good-1");
  const failed = await store.read("bad-1");
  await start([run("good", 1), run("bad", 1), run("good", 2)]);
  expect(await store.read("good-1")).toEqual(before);
  expect((await store.read("bad-1"))?.finishedAt).not.toBe(failed?.finishedAt);
  expect(await store.read("good-2")).not.toBeNull();
});

test("a file cut off in writing is no row", async () => {
  await start([]);
  await writeFile(join(directory, "runs", "good-1.json.part"), '{"plan":');
  const store = await start([run("good", 1)]);
  expect((await store.read("good-1"))?.failure).toBeNull();
  expect(await readdir(join(directory, "runs"))).toEqual(["good-1.json"]);
});

test("an abort ends the matrix, and leaves no failure", async () => {
  const controller = new AbortController();
  controller.abort(new Error("stopped by SIGINT"));
  await expect(start([run("good", 1)], { signal: controller.signal })).rejects.toThrow("stopped by SIGINT");
  expect(await readdir(join(directory, "runs"))).toEqual([]);
});

test("what two conditions are held against is run once", () => {
  const reference = samplePlan({
    arm: { name: "omniscient", flows: [sampleFlow({ scheme: "omniscient" })] },
  });
  const condition = (place: "relay" | "simulation") => ({
    ...{ place, link: LINK, arms: [], references: [reference] },
    runs: [samplePlan({ place })],
  });
  const runs = keyedRuns([condition("simulation"), condition("relay")], (place) => `sources of ${place}`);
  expect(runs.map(({ plan }) => `${plan.arm.name} ${plan.place}`)).toEqual([
    "cubic simulation",
    "omniscient simulation",
    "cubic relay",
  ]);
});
