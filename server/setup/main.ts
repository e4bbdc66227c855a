import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Problem } from "../problem.mjs";
import { abortOnSignals, Interruption } from "./interruption.ts";
import { refuseKeptByNpm } from "./kept-by-npm.ts";
import { ROOT } from "./paths.ts";

/** Resolves to the exit code; rejects with a Problem, or with the signal's reason. */
type Command = (args: readonly string[], signal: AbortSignal) => Promise<number>;

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./start.ts")).start,
  prepare: async () => (await import("./prepare.ts")).prepare,
  test: async () => (await import("./test.ts")).test,
  check: async () => (await import("./check.ts")).check,
  docs: async () => (await import("./docs.ts")).docs,
  nuwa: async () => (await import("./nuwa.ts")).nuwa,
};

/**
 * Runs a command of the project: the one place that turns errors into sentences and exit codes.
 *
 * @param args the command and its arguments; `run FILE` runs a program that sees to all this itself
 */
export async function main([name = "", ...args]: readonly string[]): Promise<void> {
  try {
    if (name === "run" || name === "nuwa") refuseKeptByNpm([name, ...args]);
    if (name === "run") return await runProgram(args);
    const signal = abortOnSignals();
    const command = await COMMANDS[name]?.();
    if (command === undefined) throw new Problem(`there is no command "${name}": see package.json's scripts`);
    process.exit(await command(args, signal));
  } catch (error) {
    if (error instanceof Interruption) process.exit(error.exitCode);
    if (!(error instanceof Problem)) throw error;
    error.end();
  }
}

/** In this process, as if Node had been started with it. */
async function runProgram([file = "", ...args]: readonly string[]): Promise<void> {
  const path = resolve(ROOT, file);
  process.argv = [process.execPath, path, ...args];
  await import(pathToFileURL(path).href);
}
