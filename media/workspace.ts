import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { MediaError } from "./media-error.ts";
import { isAlive, startMark } from "./process-life.mjs";

/** Host, process, its start (not known on every system), and what tells its folders apart. */
const PARTIAL = /^\.partial@([^@]+)@(\d+)(?:@(\d+))?@[0-9a-f]+$/;

/** Makes the folder in which one packaging works: a hidden sibling of the finished ones, so that a rename ends it. */
export async function makePartialDirectory(outputRoot: string): Promise<string> {
  try {
    await mkdir(outputRoot, { recursive: true });
    await removeAbandoned(outputRoot);
    const directory = partialName(outputRoot);
    await mkdir(directory);
    return directory;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new MediaError(`The output folder ${outputRoot} cannot be written (${code}); choose another one.`, {
      cause,
    });
  }
}

/**
 * Gives a whole presentation its name. Returns false, and leaves the partial folder, when a whole one has that name
 * already: another process was faster, and may be serving it. A damaged one is replaced.
 *
 * The rename itself decides who was first: looking before it would leave a moment in which both believe they are.
 */
export async function publish(
  partial: string,
  directory: string,
  isWhole: (directory: string) => Promise<boolean>,
): Promise<boolean> {
  if (await renameUnlessTaken(partial, directory)) return true;
  if (await isWhole(directory)) return false;
  const aside = partialName(dirname(directory));
  try {
    await rename(directory, aside);
    // Another process may have replaced the damaged one since the look at it: then its work goes back.
    if (await isWhole(aside)) {
      await renameUnlessTaken(aside, directory);
      return false;
    }
    return await renameUnlessTaken(partial, directory);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function renameUnlessTaken(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

function partialName(outputRoot: string): string {
  const start = startMark(process.pid);
  const holder = start === undefined ? [process.pid] : [process.pid, start];
  return join(outputRoot, [".partial", safeHostname(), ...holder, randomBytes(6).toString("hex")].join("@"));
}

/** Removes what processes that were killed on this machine left behind. */
async function removeAbandoned(outputRoot: string): Promise<void> {
  for (const name of await readdir(outputRoot)) {
    const [, host, pid, start] = PARTIAL.exec(name) ?? [];
    if (host === safeHostname() && !isAlive(Number(pid), Number(start ?? 0))) {
      await rm(join(outputRoot, name), { recursive: true, force: true });
    }
  }
}

function safeHostname(): string {
  return hostname().replaceAll(/[^\w.-]/g, "_");
}
