import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type KeptRun, RunStore } from "./run-store.ts";

const STARTED_AT = "2026-11-25T19:00:00.000Z";
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "nuwa-run-store-"));
});

afterEach(() => rm(folder, { recursive: true }));

function storeOf(commit: string, startedAt = STARTED_AT, hasLocalChanges = false): RunStore {
  return new RunStore(folder, { commit, hasLocalChanges }, startedAt);
}

function keptRun(seed: number, commit: string): KeptRun {
  const made = { commit, finishedAt: STARTED_AT, browser: "chromium", jobs: 3 };
  return { fault: "two-tabs", seed, ...made, outcome: null, failure: "it did not start" };
}

test("runs of the same commit are there for the next command, in the order of their seeds", async () => {
  for (const seed of [10, 2]) await storeOf("abc").keep(keptRun(seed, "abc"));
  const again = storeOf("abc", "2026-11-26T19:00:00.000Z");
  expect(await again.runs()).toEqual([keptRun(2, "abc"), keptRun(10, "abc")]);
});

test("runs of another commit count where they are asked for", async () => {
  await storeOf("abc").keep(keptRun(1, "abc"));
  await storeOf("def").keep(keptRun(2, "def"));
  expect(await storeOf("def").runs()).toEqual([keptRun(2, "def")]);
  expect(await storeOf("def").runs({ isAnyCommit: true })).toEqual([keptRun(1, "abc"), keptRun(2, "def")]);
});

test("runs with local changes count for their own command alone", async () => {
  const changed = storeOf("abc", STARTED_AT, true);
  await changed.keep(keptRun(1, "abc"));
  expect(await changed.runs()).toHaveLength(1);
  const later = "2026-11-26T19:00:00.000Z";
  expect(await storeOf("abc", later).runs({ isAnyCommit: true })).toEqual([]);
  expect(await storeOf("abc", later, true).runs({ isAnyCommit: true })).toEqual([]);
});

test("a run that was cut off in writing is not there", async () => {
  const store = storeOf("abc");
  await store.keep(keptRun(1, "abc"));
  await writeFile(join(folder, "abc", "two-tabs-2.json.part"), '{"fault":');
  expect(await store.runs()).toHaveLength(1);
});
