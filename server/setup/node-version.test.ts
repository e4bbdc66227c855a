import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeVersionProblem, OLDEST_NODE } from "./node-version.mjs";
import { ROOT } from "./paths.ts";

test.each(["20.19.0", "20.20.2", "22.12.0", "22.22.1", "23.0.0", "100.1.0"])("Node %s does", (version) => {
  expect(nodeVersionProblem(version)).toBeNull();
});

test.each(["20.18.9", "18.20.0", "9.99.99", "21.7.3", "22.0.0", "22.11.0"])("Node %s does not", (version) => {
  expect(nodeVersionProblem(version)).toContain(
    `this is Node ${version}, and 22.12.0 or newer is needed (of Node 20, 20.19.0 or newer): install it`,
  );
});

test.each(["package.json", "node_modules/vite/package.json"])("%s says the same", (file) => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, file), "utf8"));
  expect(engines.node).toBe(`^${OLDEST_NODE.of20} || >=${OLDEST_NODE.later}`);
});
