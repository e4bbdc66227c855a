import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

const STOP_LIMIT_MS = 5_000;

/**
 * Runs a command and waits for its end. An abort stops it and rejects with the abort's reason.
 *
 * @param {readonly [string, ...string[]]} command program and arguments
 * @param {{cwd: string, signal: AbortSignal, logFile?: string, env?: NodeJS.ProcessEnv}} how with `logFile` the output
 *   is added to it, otherwise it goes where this process's output goes
 * @returns {Promise<number>} exit code; 128 plus the signal's number is not told apart from 1
 */
export async function runCommand([program, ...args], { cwd, signal, logFile, env }) {
  signal.throwIfAborted();
  if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile === undefined ? null : openSync(logFile, "a");
  const output = log ?? "inherit";
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ["ignore", output, output] });
      const stop = () => {
        child.kill("SIGTERM");
        setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS).unref();
      };
      signal.addEventListener("abort", stop, { once: true });
      child.once("error", (error) => {
        signal.removeEventListener("abort", stop);
        reject(error);
      });
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
