import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { goLast } from "./go-last.ts";

const { PRIORITY_LOW } = constants.priority;

test.runIf(process.platform === "linux")("each thread of a process goes last", async () => {
  const program =
    "new Worker('setInterval(() => undefined, 1000)', { eval: true }).on('online', () => console.log('there'))";
  const child = spawn(process.execPath, [
    "-e",
    `const { Worker } = require("node:worker_threads"); ${program}`,
  ]);
  onTestFinished(() => void child.kill());
  await once(child.stdout, "data");
  const pid = child.pid ?? 0;
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  expect(threads.length).toBeGreaterThan(1);
  goLast(pid);
  expect(new Set(threads.map((thread) => getPriority(thread)))).toEqual(new Set([PRIORITY_LOW]));
});

test("a process that has ended is left alone", async () => {
  const child = spawn(process.execPath, ["--version"]);
  await once(child, "close");
  goLast(child.pid ?? 0);
});
