import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeVersionProblem, OLDEST_NODE } from "./node-version.mjs";

test.each(["20.19.0", "20.20.2", "22.0.0", "100.1.0"])("Node %s is new enough", (version) => {
  expect(nodeVersionProblem(version)).toBeNull();
});

test.each(["20.18.9", "18.20.0", "9.99.99"])("Node %s is too old", (version) => {
  expect(nodeVersionProblem(version)).toContain(`this is Node ${version} and 20.19.0 or newer is needed`);
});

test("package.json says the same", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(`${engines.node}.0`).toBe(`>=${OLDEST_NODE}`);
});
