import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const LEASHED = fileURLToPath(new URL("leashed.mjs", import.meta.url));

/**
 * Runs a command and waits for its end. An abort, or the end of this process, stops it and all that it has started; an
 * abort rejects with its reason.
 *
 * @param {readonly [string, ...string[]]} command program and arguments
 * @param {{cwd: string, signal: AbortSignal, logFile?: string}} how with `logFile` the output is added to it, otherwise
 *   it goes where this process's output goes
 * @returns {Promise<number>} exit code; 127 if the program cannot be run, 1 if a signal ended it
 */
export async function runCommand(command, { cwd, signal, logFile }) {
  signal.throwIfAborted();
  if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile === undefined ? null : openSync(logFile, "a");
  const output = log ?? "inherit";
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [LEASHED, ...command], {
        cwd,
        stdio: ["pipe", output, output],
        detached: process.platform !== "win32", // a process group of its own
      });
      const stop = () => void child.stdin?.end();
      signal.addEventListener("abort", stop, { once: true });
      child.once("error", reject);
      child.once("exit", (code) => {
        signal.removeEventListener("abort", stop);
        if (signal.aborted) reject(signal.reason);
        else resolve(code ?? 1);
      });
    });
  } finally {
    if (log !== null) closeSync(log);
  }
}
