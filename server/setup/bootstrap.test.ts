import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";

const BOOTSTRAP = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));

test("no compiled code is kept in the temporary folder, or taken from there", () => {
  const folder = temporaryFolder();
  const environment: NodeJS.ProcessEnv = { ...process.env, TMPDIR: folder };
  delete environment.TSX_DISABLE_CACHE;
  const { status } = spawnSync(process.execPath, [BOOTSTRAP, "test", "--help"], { env: environment });
  expect([status, readdirSync(folder)]).toEqual([0, []]);
});
