import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDiskFull } from "./disk-space.ts";
import { holder, isAbandoned } from "./holder.ts";
import { MediaError } from "./media-error.ts";

/** After it: whose the folder is, and what tells that one's folders apart. */
const PARTIAL = ".partial";

/** Makes the folder in which one packaging works: a hidden sibling of the finished ones, so that a rename ends it. Throws MediaError, or what the system says of a full disk. */
export async function makePartialDirectory(outputRoot: string): Promise<string> {
  try {
    await mkdir(outputRoot, { recursive: true });
    await removeAbandoned(outputRoot);
    const directory = partialName(outputRoot);
    await mkdir(directory);
    return directory;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || isDiskFull(cause)) throw cause;
    throw new MediaError(`The output folder ${outputRoot} cannot be written (${code}); choose another one.`, {
      cause,
      kind: "disk",
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
  return join(outputRoot, `${PARTIAL}${holder()}${randomBytes(6).toString("hex")}`);
}

/** Removes what those left behind who were killed. */
export async function removeAbandoned(outputRoot: string): Promise<void> {
  for (const name of await readdir(outputRoot)) {
    const directory = join(outputRoot, name);
    if (name.startsWith(`${PARTIAL}@`) && (await isAbandoned(directory))) {
      await rm(directory, { recursive: true, force: true });
    }
  }
}
