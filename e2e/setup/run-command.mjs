import { spawn } from "node:child_process";

/**
 * @typedef {object} CommandResult
 * @property {number | null} code exit status; null if a signal ended it
 * @property {string} stdout
 * @property {string} stderr
 * @property {boolean} timedOut
 */

/** Exit status of a command that does not exist, as shells report it. */
const NOT_FOUND = 127;

/**
 * Runs a command to its end and collects what it wrote; never throws for what the command does.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ timeoutMs?: number, cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, options = {}) {
  const { timeoutMs = 60_000, cwd, env = process.env } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let stdout = "";
    let stderr = "";
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      stderr += text;
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ code: NOT_FOUND, stdout, stderr: error.message, timedOut });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, timedOut });
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
