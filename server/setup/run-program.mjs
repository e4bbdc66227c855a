import { abortOnSignals, Interruption } from "./interruption.mjs";
import { Problem } from "./problem.mjs";

/**
 * Runs a command of the project: the one place that turns errors into sentences and exit codes.
 *
 * @param {(signal: AbortSignal) => Promise<number>} body resolves to the exit code
 */
export async function runProgram(body) {
  const signal = abortOnSignals(process.env);
  try {
    process.exit(await body(signal));
  } catch (error) {
    if (error instanceof Interruption) process.exit(error.exitCode);
    if (!(error instanceof Problem)) throw error;
    if (error.detail !== "") process.stderr.write(`${error.detail}\n`);
    process.stderr.write(`nuwa-stream: ${error.message}\n`);
    process.exit(error.exitCode);
  }
}
