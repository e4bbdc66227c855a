import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../sample-app.ts";

const BOOTSTRAP = fileURLToPath(new URL("bootstrap.mjs", import.meta.url));

/** What is left in the temporary folder, and what children are told of tsx's. */
function traceOf(...args: string[]): readonly unknown[] {
  const folder = temporaryFolder();
  const environment: NodeJS.ProcessEnv = { ...process.env, TMPDIR: folder };
  delete environment.TSX_DISABLE_CACHE;
  const tell = "process.on('exit', () => process.stderr.write('<' + process.env.TSX_DISABLE_CACHE + '>'))";
  const command = ["--import", `data:text/javascript,${tell}`, BOOTSTRAP, ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { env: environment, encoding: "utf8" });
  return [status, /<.*>/.exec(stderr)?.[0], readdirSync(folder)];
}

test("a command keeps no compiled code in the temporary folder, and takes none from there; nor do its children", () => {
  expect(traceOf("test", "--help")).toEqual([0, "<1>", []]);
});

test("nor does a program that is not compiled beforehand", () => {
  const program = join(temporaryFolder(), "program.mts");
  writeFileSync(program, "export const number: number = 1;\n");
  expect(traceOf("run", program)).toEqual([0, "<1>", []]);
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
