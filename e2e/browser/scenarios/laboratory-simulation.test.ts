import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "../environment.ts";
import { runCommand } from "../setup/run-command.ts";

const MATRIX = ["--schemes", "nuwa,cubic", "--links", "24mbit", "--seeds", "2", "--duration", "5"];

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "nuwa-laboratory-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

function bench(...args: string[]) {
  return runCommand("npm", ["run", "--silent", "bench", "--", ...args], { cwd: ROOT });
}

async function timesOfRows(): Promise<Map<string, number>> {
  const runs = join(directory, "runs");
  const names = await readdir(runs);
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(join(runs, name))).mtimeMs] as const)),
  );
}

test("a matrix leaves rows, a bundle and a report, and started again runs nothing twice", async () => {
  const first = await bench(...MATRIX, "--output", directory);
  expect(first.stderr).toContain("6 of 6 runs");
  expect(first.code).toBe(0);
  expect(first.stdout.trim()).toMatch(/report\.html$/);
  const names = await readdir(directory);
  expect(names.toSorted()).toEqual([
    ...["bundle.json", "flows.parquet", "intervals.parquet", "report.html", "runs", "runs.parquet"],
  ]);
  const bundle = JSON.parse(await readFile(join(directory, "bundle.json"), "utf8")) as Record<
    string,
    unknown
  >;
  expect(bundle).toMatchObject({ runs: { finished: 6, failed: 0 }, seeds: [1, 2] });
  const report = await readFile(join(directory, "report.html"), "utf8");
  for (const name of ["nuwa", "cubic", "omniscient"])
    expect(report.includes(`>${name}</text>`), name).toBe(true);

  const rows = await timesOfRows();
  expect(rows.size).toBe(6);
  const second = await bench(...MATRIX, "--output", directory);
  expect(second.stderr).not.toContain("of 6 runs");
  expect(second.code).toBe(0);
  expect(await timesOfRows()).toEqual(rows);
});

test("a scheme that nobody knows is answered by those that are known", async () => {
  const { code, stderr } = await bench("--schemes", "nuwa,vegas95", "--output", directory);
  expect(stderr).toMatch(/^scheme "vegas95" is unknown: choose of nuwa, .*cubic, .*omniscient\n$/);
  expect(code).toBe(2);
});
