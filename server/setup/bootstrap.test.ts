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

test.each(["start", "test", "nuwa"])("%s is refused on Windows, in one sentence", (command) => {
  const onWindows = "data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })";
  const { status, stderr } = spawnSync(process.execPath, ["--import", onWindows, BOOTSTRAP, command], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^nuwa-stream: this does not run on Windows itself: install WSL2 .*\n$/),
  ]);
});
