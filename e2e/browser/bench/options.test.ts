import { expect, test } from "vitest";
import { BENCH_OPTIONS, type BenchOption, requireRead } from "./options.ts";
import { loadProgram, PROGRAMS, readsOf } from "./registry.ts";

test.each([
  ["startup", { preset: "bulk" }, "--preset bulk: startup does not read it; it reads --repeats"],
  ["cmsd", { minutes: "5" }, "--minutes 5: cmsd does not read it; it reads --repeats"],
  ["24mbit", { seed: "2" }, "--seed 2: 24mbit does not read it; it reads --repeats, --preset"],
  ["soak", { repeats: "2" }, "--repeats 2: soak does not read it; it reads --seed, --minutes"],
  ["lte", { beside: "../other" }, "--beside ../other: lte does not read it; it reads --repeats, --preset"],
  ["page", { "any-commit": true }, "--any-commit: page does not read it; it reads --repeats"],
])("%s with %j is refused", async (name, given, sentence) => {
  expect(() => requireRead(name, given, readsOfProgram[name] ?? [])).toThrow(sentence);
});

test("what is read, or nothing, is fine", () => {
  expect(() => requireRead("faults", { seed: "3", jobs: "2" }, readsOfProgram.faults ?? [])).not.toThrow();
  expect(() => requireRead("startup", {}, readsOfProgram.startup ?? [])).not.toThrow();
});

test("what benchmarks say that they read are options", () => {
  for (const reads of Object.values(readsOfProgram))
    expect(Object.keys(BENCH_OPTIONS)).toEqual(expect.arrayContaining([...reads]));
});

test("a benchmark whose summary names a preset reads one", () => {
  const named = PROGRAMS.filter(({ summary }) => summary.includes("preset")).map(({ name }) => name);
  expect(named).not.toEqual([]);
  for (const name of named) expect(readsOfProgram[name]).toContain("preset");
});

const readsOfProgram: Readonly<Record<string, readonly BenchOption[]>> = Object.fromEntries(
  await Promise.all(
    PROGRAMS.map(async (benchmark) => [benchmark.name, readsOf(await loadProgram(benchmark))] as const),
  ),
);
