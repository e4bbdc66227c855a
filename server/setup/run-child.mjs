import { spawn } from "node:child_process";

/**
 * Runs a command in our own terminal. An interruption is passed on, and the child's own end waited for: it may have to tidy up.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {{ cwd: string, environment: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<number>} exit code; rejects with the signal's reason
 */
export function runChild([program, ...args], { cwd, environment, signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: environment, stdio: "inherit" });
    const interrupt = () => child.kill("SIGTERM");
    signal.addEventListener("abort", interrupt, { once: true });
    child.once("error", reject);
    child.once("exit", (code) => {
      signal.removeEventListener("abort", interrupt);
      if (signal.aborted) reject(signal.reason);
      else resolve(code ?? 1);
    });
  });
}
