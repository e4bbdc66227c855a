import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("testdata/unread-output.ts", import.meta.url));

test.each([
  ["survive", 7],
  ["as Node leaves it", 1],
])("whose words nobody reads any more ends, told to %s, with %i", async (word, exitCode) => {
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, word]);
  await once(child.stdout, "data");
  for (const stream of [child.stdout, child.stderr]) {
    stream.destroy();
    await once(stream, "close");
  }
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([exitCode, null]);
});
