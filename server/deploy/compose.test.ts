import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../setup/paths.ts";
import { START_OPTIONS, variableOf } from "../setup/start-help.mjs";

/** They go by the ports and the volumes that compose.yaml has. */
const FIXED = ["udp-port", "data"];

/** What compose.yaml passes on, and how: null where it is without a value. */
function passedOn(): Map<string, string | null> {
  const compose = readFileSync(join(ROOT, "compose.yaml"), "utf8");
  const lines = compose.matchAll(/^ {6}- (NUWA_[A-Z_]+)(?:=(.*))?$/gm);
  return new Map([...lines].map(([, name = "", value]) => [name, value ?? null]));
}

/** Variables that the image sets. */
function setByImage(): [name: string, value: string][] {
  const image = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const settings = [...image.matchAll(/^ENV (NUWA_.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
  return settings.map((setting) => setting.split("=") as [string, string]);
}

test("compose.yaml passes every option of npm start on, in its order", () => {
  const options = Object.keys(START_OPTIONS).filter((name) => !FIXED.includes(name));
  expect([...passedOn().keys()]).toEqual(options.map(variableOf));
});

test("compose.yaml takes nothing away that the image sets: Docker Compose does so with what has no value", () => {
  const passed = passedOn();
  const alike = setByImage().filter(([name]) => passed.has(name));
  expect(alike.map(([name]) => name)).toEqual(["NUWA_HOST", "NUWA_WORKERS"]);
  for (const [name, value] of alike) expect(passed.get(name)).toBe(`\${${name}:-${value}}`);
});
