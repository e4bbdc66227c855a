import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} CommandResult
 * @property {number | null} code exit status; 127 if there is no such command, 1 if a signal ended it, null if it timed out
 * @property {string} stdout
 * @property {string} stderr
 * @property {boolean} timedOut
 */

/** Ends the command and all that it has started when its standard input closes, as it does when this process ends. */
const LEASHED = fileURLToPath(new URL("../../../server/setup/leashed.mjs", import.meta.url));

/**
 * Runs a command to its end and collects what it wrote; never throws for what the command does. Neither a timeout nor
 * the end of this process, however it ends, leaves anything of it behind.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ timeoutMs?: number, cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, options = {}) {
  const { timeoutMs = 60_000, cwd, env = process.env } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LEASHED, command, ...args], {
      ...{ cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true },
    });
    let stdout = "";
    let stderr = "";
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.stdin.end();
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      stderr += text;
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error); // node itself cannot be started
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: timedOut ? null : code, stdout, stderr, timedOut });
    });
  });
}

/**
 * What a failed command said last, in one line, for a reason shown to a person.
 *
 * @param {CommandResult} result
 * @returns {string}
 */
export function lastWords(result) {
  if (result.timedOut) return "it did not end in time";
  const lines = `${result.stdout}\n${result.stderr}`.split("\n").filter((line) => line.trim() !== "");
  return lines.at(-1)?.trim() ?? `exit status ${result.code}`;
}
