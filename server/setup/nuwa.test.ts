import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { environmentOf } from "./nuwa.ts";
import { ENVIRONMENTS } from "./python-environments.ts";

const BOOTSTRAP = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));

/** `npm run trace -- ...`, called in `folder`. */
function trace(folder: string, ...args: string[]) {
  const env = { ...process.env, INIT_CWD: folder };
  return spawnSync(process.execPath, [BOOTSTRAP, "nuwa", "trace", ...args], { encoding: "utf8", env });
}

test("paths are meant from where npm was called, and the exit code is passed on", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "walk.csv"), "time_s,x_mbps\n0,1\n1,3\n");
  const converted = trace(folder, "convert", "walk.csv", "walk.pensieve");
  expect([converted.status, converted.stderr]).toEqual([0, ""]);
  expect(readFileSync(join(folder, "walk.pensieve"), "utf8")).toBe("0\t1\n1\t1\n2\t3\n");
  writeFileSync(join(folder, "bad.down"), "3\n2\n");
  expect(trace(folder, "validate", "bad.down")).toMatchObject({
    status: 1,
    stderr: "bad.down:2: goes back in time, from 3 to 2 ms\n",
  });
  expect(trace(folder, "show", "nowhere").status).toBe(2);
});

test.each([
  [["train", "owl"], ENVIRONMENTS.train],
  [["train", "--help"], undefined],
  [["bench"], ENVIRONMENTS.laboratory],
  [["bench", "--schemes", "nuwa", "--cluster", "local-ray"], ENVIRONMENTS["laboratory, cluster"]],
  [["bench", "cluster"], ENVIRONMENTS["laboratory, cluster"]],
  [["train", "--policy", "owl", "--cluster=local-ray"], ENVIRONMENTS["train, cluster"]],
  [["trace", "show", "lte-like"], undefined],
  [["trace", "plot", "lte-like"], ENVIRONMENTS.laboratory],
  [["trian"], undefined],
  [[], undefined],
])("%j takes its environment, and help or a wrong word takes none", (args, environment) => {
  expect(environmentOf(args)).toBe(environment);
});
