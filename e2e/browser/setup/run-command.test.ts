import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../server/sample-app.ts";
import { isRunning } from "../../../server/testdata/is-running.ts";
import { lastWords, runCommand } from "./run-command.ts";

/** Says its process, has a child that says its own, and waits. */
const SHELL_SCRIPT = "echo $$; sleep 300 & echo $!; wait";

test("exit status and both outputs are the command's", async () => {
  expect(await runCommand("sh", ["-c", "echo one; echo two >&2; exit 7"])).toEqual({
    ...{ code: 7, stdout: "one\n", stderr: "two\n", timedOut: false },
  });
  const missing = await runCommand("/nonexistent/program", []);
  expect([missing.code, lastWords(missing)]).toEqual([127, "spawn /nonexistent/program ENOENT"]);
});

test("a command that takes too long is ended with all that it has started", async () => {
  const result = await runCommand("sh", ["-c", SHELL_SCRIPT], { timeoutMs: 1_000 });
  expect([result.code, result.timedOut]).toEqual([null, true]);
  const pids = result.stdout.trim().split("\n").map(Number);
  expect(pids).toHaveLength(2);
  await vi.waitUntil(() => !pids.some(isRunning), { timeout: 10_000 });
});

test("a parent that is killed outright takes the command and what it has started along", async () => {
  const module = JSON.stringify(new URL("run-command.ts", import.meta.url));
  const file = join(temporaryFolder(), "pids");
  const command = JSON.stringify(`exec >"$0"; ${SHELL_SCRIPT}`);
  const script = `import { runCommand } from ${module};
    await runCommand("sh", ["-c", ${command}, ${JSON.stringify(file)}]);`;
  const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    stdio: "inherit",
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const written = () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  await vi.waitUntil(() => written().length === 2, { timeout: 10_000 });
  const pids = written().map(Number);
  expect(pids.every(isRunning)).toBe(true);
  parent.kill("SIGKILL");
  await vi.waitUntil(() => !pids.some(isRunning), { timeout: 10_000 });
});
