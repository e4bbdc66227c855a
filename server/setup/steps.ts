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
 * Does the steps that are not done yet, in order; those of a list side by side. Two processes never do steps at the same time,
 * and a step that was interrupted is done again, since its stamp is written last.
 */
export async function runSteps(
  steps: readonly (Step | readonly Step[])[],
  context: SetupContext,
): Promise<void> {
  const groups = steps.map((each): readonly Step[] => [each].flat());
  const missingOf = (group: readonly Step[]) => group.filter((step) => !isDone(step, context.folder));
  if (missingOf(groups.flat()).length === 0) return;
  await withSetupLock(context, async () => {
    for (const group of groups) await runSideBySide(missingOf(group), context);
  });
}

export function isDone(step: Step, folder = SETUP): boolean {
  return step.isPresent() && readStamp(step, folder) === step.fingerprint();
}

/** The first that fails stops the others. */
async function runSideBySide(steps: readonly Step[], context: SetupContext): Promise<void> {
  const { root = ROOT, signal, output } = context;
  if (steps.length === 0) return;
  for (const { folder } of steps) if (folder !== undefined) refuseLink(folder, root);
  const startedAtMs = performance.now();
  output.write(`${steps.map(({ title }) => title).join(" and ")} ... `);
  const failure = new AbortController();
  const within = { ...context, signal: AbortSignal.any([signal, failure.signal]) };
  const running = steps.map((step) => runStep(step, within).catch((error: unknown) => failure.abort(error)));
  await Promise.all(running);
  const outcome = signal.aborted ? "stopped, " : "failed, ";
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  output.write(`${failure.signal.aborted ? outcome : ""}${seconds} s\n`);
  failure.signal.throwIfAborted();
}

async function runStep(
  step: Step,
  { root = ROOT, folder = SETUP, signal, isBackground = false }: SetupContext,
): Promise<void> {
  const logFile = join(folder, `${step.name}.log`);
  for (const file of [stampPath(step, folder), logFile]) rmSync(file, { force: true });
  const fingerprint = step.fingerprint(); // before the work: what changes during it makes the step run again
  await step.run(async (command, advice, environment = {}) => {
    const exitCode = await runCommand(command, { cwd: root, signal, environment, logFile, isBackground });
    if (exitCode === 0) return;
    const log = relative(root, logFile);
    const detail = lastLines(logFile);
    const todo = typeof advice === "string" ? advice : advice(detail);
    const sentence = `${step.title} failed with exit code ${exitCode} (whole log: ${log}): ${todo}`;
    throw new Problem(sentence, { exitCode: 1, detail });
  });
  writeStamp(step, folder, fingerprint);
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
