import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PREPARE = fileURLToPath(new URL("prepare.ts", import.meta.url));

/** What it says, and nothing that it does: it would install packages. */
const said = (...words: readonly string[]) =>
  promisify(execFile)(process.execPath, ["--import", "tsx", PREPARE, ...words]);

test("--help is answered, and installs nothing", async () => {
  const { stdout } = await said("--help");
  expect(stdout).toMatch(/^Gets ready what the browser tests need/);
  expect(stdout).not.toMatch(/^(browser|mahimahi): /m);
});

test("any other word is refused", async () => {
  await expect(said("--dry-run")).rejects.toMatchObject({
    code: 2,
    stderr: "prepare-machine: --dry-run is no option; see npm run prepare-machine -- --help\n",
  });
});
