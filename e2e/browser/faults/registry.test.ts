import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "./registry.ts";

const SCENARIOS = new URL("../scenarios/", import.meta.url);

/** Names of the fault files that a scenario takes. */
function faultsOf(scenario: string): string[] {
  const text = readFileSync(new URL(scenario, SCENARIOS), "utf8");
  return [...text.matchAll(/faults\/matrix\/([\w-]+)\.ts/g)].map(([, name]) => String(name));
}

test("every fault has a scenario that holds it to what must become of the film", () => {
  const scenarios = readdirSync(SCENARIOS).filter((name) => /^fault-.*\.test\.ts$/.test(name));
  const befallen = new Set(scenarios.flatMap(faultsOf));
  for (const { name } of FAULTS) {
    expect(befallen, `${name} needs a scenario: write scenarios/fault-${name}.test.ts`).toContain(name);
  }
});

test("every file of a fault is in the registry, under its own name", () => {
  const helpers = ["expected-problems"];
  const files = readdirSync(new URL("matrix/", import.meta.url)).map((file) => file.replace(/\.ts$/, ""));
  expect(FAULTS.map(({ name }) => name).toSorted()).toEqual(
    files.filter((file) => !helpers.includes(file)).toSorted(),
  );
});
