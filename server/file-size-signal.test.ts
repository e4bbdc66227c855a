import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("testdata/file-size.ts", import.meta.url));

test("a file that may not grow ends no server", () => {
  const run = (word: string) =>
    spawnSync(process.execPath, ["--import", "tsx", PROGRAM, word], { encoding: "utf8", timeout: 20_000 });
  expect(run("survive")).toMatchObject({ signal: null, stdout: "alive\n" });
  expect(run("as Node leaves it")).toMatchObject({ signal: "SIGXFSZ", stdout: "" });
});
