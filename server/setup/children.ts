import { mkdirSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname } from "node:path";
import { execa } from "execa";
import { Problem } from "../problem.mjs";
import { PROCESS_GROUP } from "./clone.mjs";

export type Command = readonly [program: string, ...args: string[]];

export interface Surroundings {
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Added to this process's own. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether it is to take only what others leave of the processor. */
  readonly isBackground?: boolean;
}

/** How a command ended. */
export interface CommandResult {
  /** Exit code; 127 if there is no such command, 1 if a signal ended it, null if it took too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/**
 * Runs a command and waits for its end. An abort, or the end of this process, stops it and all that it has started; an
 * abort rejects with its reason.
 *
 * @param surroundings with `logFile` the output is added to it, otherwise it goes where this process's output goes
 * @returns exit code; 127 if the program cannot be run, 1 if a signal ended it
 */
export async function runCommand(
  command: Command,
  { logFile, ...surroundings }: Surroundings & { readonly logFile?: string },
): Promise<number> {
  if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true });
  const output = logFile === undefined ? "inherit" : { file: logFile, append: true };
  return (await runGroup(command, surroundings, output)).code ?? 1;
}

/** The same, but collects what the command writes. */
export function collectOutput(
  command: Command,
  surroundings: Surroundings & { readonly timeoutMs: number },
): Promise<CommandResult> {
  return runGroup(command, surroundings, "pipe");
}

async function runGroup(
  command: Command,
  { cwd, signal, environment, isBackground, timeoutMs }: Surroundings & { readonly timeoutMs?: number },
  output: "inherit" | "pipe" | { readonly file: string; readonly append: boolean },
): Promise<CommandResult> {
  signal?.throwIfAborted();
  const child = execa(process.execPath, [PROCESS_GROUP, ...command], {
    cwd,
    stdin: "pipe", // never written to: its end, at ours, ends the group
    stdout: output,
    stderr: output,
    detached: true, // a process group of its own
    forceKillAfterDelay: false, // process-group.mjs does it, to all of the group
    reject: false,
    stripFinalNewline: false,
    ...(signal && { cancelSignal: signal }),
    ...(environment && { env: environment }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  });
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const result = await child;
  if (result.isCanceled) signal?.throwIfAborted();
  const { stdout = "", stderr = "", timedOut } = result;
  return { code: timedOut ? null : (result.exitCode ?? 1), stdout, stderr, timedOut };
}

/**
 * Runs a command in our own terminal. An interruption is passed on, and the child's own end waited for: it may have to tidy up.
 *
 * @returns exit code; rejects with the signal's reason
 */
export async function runInTerminal(
  [program, ...args]: Command,
  surroundings: Surroundings,
): Promise<number> {
  const { cwd, signal, environment } = surroundings;
  const result = await execa(program, args, {
    cwd,
    stdio: "inherit",
    forceKillAfterDelay: false,
    reject: false,
    ...(signal && { cancelSignal: signal }),
    ...(environment && { env: environment }),
  });
  if (result.isCanceled) signal?.throwIfAborted();
  if (result.exitCode !== undefined) return result.exitCode;
  if (result.isTerminated) return 1;
  throw new Problem(`${program} cannot be run: ${result.originalMessage}`, { exitCode: 1 });
}
