import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { withLock } from "./lock.mjs";
import { Problem } from "./problem.mjs";
import { ProgressLine } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";
import { readStamp, removeStamp, writeStamp } from "./stamps.mjs";

/**
 * One thing that must be there before the program can run.
 *
 * @typedef {object} Step
 * @property {string} name names its stamp and its log
 * @property {string} title shown while it runs
 * @property {() => string} fingerprint of everything that decides the result: the step is done again when it changes
 * @property {() => boolean} isPresent whether the result still lies where the step put it
 * @property {string} [folder] that the step empties and fills: no link, or it would be somebody else's that is emptied
 * @property {(run: RunInStep) => Promise<void>} run
 */

/**
 * Runs a command into the step's log; a failure is a Problem that shows the log's end.
 *
 * @typedef {(command: readonly [string, ...string[]], advice: string) => Promise<void>} RunInStep
 */

/** @typedef {{root: string, setupFolder: string, signal: AbortSignal, output: Pick<NodeJS.WriteStream, "write" | "isTTY">}} SetupContext */

const LOG_LINES_SHOWN = 20;

/**
 * Does the steps that are not done yet, in order. Two processes never do steps at the same time, and a step that was
 * interrupted is done again, since its stamp is written last.
 *
 * @param {readonly Step[]} steps
 * @param {SetupContext} context
 */
export async function runSteps(steps, context) {
  if (steps.every((step) => isDone(step, context))) return;
  await withSetupLock(context, async () => {
    for (const step of steps) {
      if (!isDone(step, context)) await runStep(step, context);
    }
  });
}

/**
 * @template T
 * @param {SetupContext} context
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export function withSetupLock({ setupFolder, signal, output }, body) {
  /** @param {number} pid */
  const onWait = (pid) =>
    output.write(`waiting for another set-up of this clone to finish (process ${pid})\n`);
  return withLock(join(setupFolder, "lock"), { signal, onWait }, body);
}

/**
 * @param {Step} step
 * @param {Pick<SetupContext, "setupFolder">} context
 */
export function isDone(step, { setupFolder }) {
  return step.isPresent() && readStamp(stampPath(step, setupFolder)) === step.fingerprint();
}

/**
 * @param {Step} step
 * @param {SetupContext} context
 */
async function runStep(step, { root, setupFolder, signal, output }) {
  const stamp = stampPath(step, setupFolder);
  const logFile = join(setupFolder, `${step.name}.log`);
  if (step.folder !== undefined) refuseLink(step.folder, root);
  removeStamp(stamp);
  rmSync(logFile, { force: true });
  const fingerprint = step.fingerprint(); // before the work: what changes during it makes the step run again
  const line = new ProgressLine(output, step.title);
  try {
    await step.run(async (command, advice) => {
      const exitCode = await runCommand(command, { cwd: root, signal, logFile });
      if (exitCode !== 0) {
        const log = relative(root, logFile);
        throw new Problem(`${step.title} failed with exit code ${exitCode} (whole log: ${log}): ${advice}`, {
          exitCode: 1,
          detail: lastLines(logFile),
        });
      }
    });
  } catch (error) {
    line.fail(signal);
    throw error;
  }
  writeStamp(stamp, fingerprint);
  line.end();
}

/**
 * @param {string} folder
 * @param {string} root
 */
function refuseLink(folder, root) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const name = relative(root, folder);
    throw new Problem(
      `${name} is a link, and what it leads to would be emptied: remove the link and try again`,
    );
  }
}

/**
 * @param {Step} step
 * @param {string} setupFolder
 */
function stampPath(step, setupFolder) {
  return join(setupFolder, `${step.name}.stamp`);
}

/** @param {string} logFile */
function lastLines(logFile) {
  return readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-LOG_LINES_SHOWN).join("\n");
}
