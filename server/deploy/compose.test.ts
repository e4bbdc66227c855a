import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../setup/paths.ts";
import { START_OPTIONS, variableOf } from "../setup/start-help.mjs";

/** They go by the ports and the volumes that compose.yaml has. */
const FIXED = ["udp-port", "data"];

test("compose.yaml passes every option of npm start on, in its order", () => {
  const compose = readFileSync(join(ROOT, "compose.yaml"), "utf8");
  const passed = [...compose.matchAll(/^ {6}- (NUWA_[A-Z_]+)/gm)].map(([, name]) => name);
  const options = Object.keys(START_OPTIONS).filter((name) => !FIXED.includes(name));
  expect(passed).toEqual(options.map(variableOf));
});
