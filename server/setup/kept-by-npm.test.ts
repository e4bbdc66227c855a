import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { refuseKeptByNpm } from "./kept-by-npm.ts";

const HELP =
  "usage: nuwa simulate [-h] [--queue PACKETS] [--lane-each] [--no-plot]\n  --queue-bytes N  of it";

test.each([
  ["queue", "50"],
  ["lane_each", "true"],
  ["plot", ""],
])("an option that npm kept, npm_config_%s, is refused by its name", (name, value) => {
  const environment = { [`npm_config_${name}`]: value, npm_lifecycle_event: "nuwa" };
  const option = name.replace("_", "-");
  expect(() => refuseKeptByNpm(["nuwa", "simulate"], environment, () => HELP)).toThrow(
    `npm kept --${option} for itself: write two dashes before all that is the program's, npm run nuwa -- ... --${option}`,
  );
});

test.each(["registry", "bytes", "que.e"])("npm_config_%s is none of the program's", (name) => {
  expect(() => refuseKeptByNpm(["nuwa"], { [`npm_config_${name}`]: "1" }, () => HELP)).not.toThrow();
});

test("nobody is asked where npm tells only what it always does, nor on the way to help", () => {
  const helpOf = vi.fn(() => HELP);
  refuseKeptByNpm(["nuwa"], { npm_config_cache: "/c", npm_config_jobs: "8" }, helpOf);
  refuseKeptByNpm(["nuwa", "--help"], { npm_config_queue: "50" }, helpOf);
  expect(helpOf).not.toHaveBeenCalled();
});

test.each([
  ["nuwa", ["nuwa", "simulate", "cubic"], "seconds"],
  ["package-film", ["run", "media/cli.ts"], "demo"],
])("npm run %s refuses what npm kept", (script, args, option) => {
  const bootstrap = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));
  const env = { ...process.env, npm_lifecycle_event: script, [`npm_config_${option}`]: "1" };
  const { status, stderr } = spawnSync(process.execPath, [bootstrap, ...args], { encoding: "utf8", env });
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`nuwa-stream: npm kept --${option} for itself: `),
  ]);
});
