import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Problem } from "../problem.mjs";
import { type Command, runCommand } from "./children.ts";
import { withSetupLock } from "./lock.mjs";
import { ROOT, SETUP } from "./paths.ts";

/** One thing that must be there before the program can run. */
export interface Step {
  /** Names its stamp and its log. */
  readonly name: string;
  /** Shown while it runs. */
  readonly title: string;
  /** Of everything that decides the result: the step is done again when it changes. */
  readonly fingerprint: () => string;
  /** Whether the result still lies where the step put it. */
  readonly isPresent: () => boolean;
  /** What the step empties and fills: no link, or it would be somebody else's that is emptied. */
  readonly folder?: string;
  readonly run: (run: RunInStep) => Promise<void>;
}

/**
 * Runs a command into the step's log; a failure is a Problem that shows the log's end.
 *
 * @param advice what to do about it; may go by that end
 * @param environment added to this process's own
 */
export type RunInStep = (
  command: Command,
  advice: string | ((said: string) => string),
  environment?: NodeJS.ProcessEnv,
) => Promise<void>;

export interface SetupContext {
  readonly signal: AbortSignal;
  readonly output: { write(text: string): unknown };
  /** Whether to take only what others leave of the processor. */
  readonly isBackground?: boolean;
  /** For tests. */
  readonly root?: string;
  readonly folder?: string;
}

const LOG_LINES_SHOWN = 20;

/**
 * Does the steps that are not done yet, in order. Two processes never do steps at the same time, and a step that was
 * interrupted is done again, since its stamp is written last.
 */
export async function runSteps(steps: readonly Step[], context: SetupContext): Promise<void> {
  if (steps.every((step) => isDone(step, context.folder))) return;
  await withSetupLock(context, async () => {
    for (const step of steps) if (!isDone(step, context.folder)) await runStep(step, context);
  });
}

export function isDone(step: Step, folder = SETUP): boolean {
  return step.isPresent() && readStamp(step, folder) === step.fingerprint();
}

async function runStep(
  step: Step,
  { root = ROOT, folder = SETUP, signal, output, isBackground = false }: SetupContext,
): Promise<void> {
  const logFile = join(folder, `${step.name}.log`);
  if (step.folder !== undefined) refuseLink(step.folder, root);
  for (const file of [stampPath(step, folder), logFile]) rmSync(file, { force: true });
  const fingerprint = step.fingerprint(); // before the work: what changes during it makes the step run again
  const startedAtMs = performance.now();
  const seconds = () => `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`;
  output.write(`${step.title} ... `);
  try {
    await step.run(async (command, advice, environment = {}) => {
      const exitCode = await runCommand(command, { cwd: root, signal, environment, logFile, isBackground });
      if (exitCode === 0) return;
      const log = relative(root, logFile);
      const detail = lastLines(logFile);
      const todo = typeof advice === "string" ? advice : advice(detail);
      const sentence = `${step.title} failed with exit code ${exitCode} (whole log: ${log}): ${todo}`;
      throw new Problem(sentence, { exitCode: 1, detail });
    });
  } catch (error) {
    output.write(`${signal.aborted ? "stopped" : "failed"}, ${seconds()}\n`);
    throw error;
  }
  writeStamp(step, folder, fingerprint);
  output.write(`${seconds()}\n`);
}

function refuseLink(folder: string, root: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const name = relative(root, folder);
    throw new Problem(
      `${name} is a link, and what it leads to would be emptied: remove the link and try again`,
    );
  }
}

function stampPath(step: Step, folder: string): string {
  return join(folder, `${step.name}.stamp`);
}

/** @returns the fingerprint that the step last finished with; null if it never did */
function readStamp(step: Step, folder: string): string | null {
  try {
    return readFileSync(stampPath(step, folder), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** In one move, so that no half-written stamp is ever read. */
function writeStamp(step: Step, folder: string, fingerprint: string): void {
  mkdirSync(folder, { recursive: true });
  const path = stampPath(step, folder);
  writeFileSync(`${path}.${process.pid}`, `${fingerprint}\n`);
  renameSync(`${path}.${process.pid}`, path);
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-LOG_LINES_SHOWN).join("\n");
}
