import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../sample-app.ts";
import { isRunning } from "../testdata/is-running.ts";
import { runCommand } from "./children.ts";

/** A command that starts another, writes that one's process into a file, and waits for it. */
function commandWithChild(file: string): [string, ...string[]] {
  const script = `const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    require("fs").writeFileSync(${JSON.stringify(file)}, child.pid + "\\n");`;
  return [process.execPath, "-e", script];
}

async function writtenProcess(file: string): Promise<number> {
  await vi.waitUntil(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"), {
    timeout: 10_000,
  });
  return Number(readFileSync(file, "utf8"));
}

test("the exit code is the command's, and its output goes to the log", async () => {
  const folder = temporaryFolder();
  const logFile = join(folder, "logs", "command.log");
  const how = { cwd: folder, signal: new AbortController().signal, logFile };
  expect(await runCommand([process.execPath, "-e", "console.log('one')"], how)).toBe(0);
  expect(await runCommand([process.execPath, "-e", "console.error('two'); process.exit(7)"], how)).toBe(7);
  expect(readFileSync(logFile, "utf8")).toBe("one\ntwo\n");
});

test("an abort ends the command and what it has started", { timeout: 20_000 }, async () => {
  const folder = temporaryFolder();
  const file = join(folder, "pid");
  const controller = new AbortController();
  const running = runCommand(commandWithChild(file), { cwd: folder, signal: controller.signal });
  const pid = await writtenProcess(file);
  expect(isRunning(pid)).toBe(true);
  controller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  await vi.waitUntil(() => !isRunning(pid), { timeout: 10_000 });
});

test("a parent that is killed outright takes the command and what it has started along", {
  timeout: 20_000,
}, async () => {
  const folder = temporaryFolder();
  const file = join(folder, "pid");
  const module = JSON.stringify(new URL("children.ts", import.meta.url));
  const script = `import { runCommand } from ${module};
    await runCommand(${JSON.stringify(commandWithChild(file))}, { cwd: ".", signal: new AbortController().signal });`;
  const parent: ChildProcess = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", script],
    {
      stdio: "inherit",
    },
  );
  onTestFinished(() => void parent.kill("SIGKILL"));
  const pid = await writtenProcess(file);
  parent.kill("SIGKILL");
  await vi.waitUntil(() => !isRunning(pid), { timeout: 10_000 });
});
