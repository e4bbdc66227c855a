import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isAlive, processSpace, startMark } from "./process-life.mjs";
import { touch } from "./touch.mjs";

/** The space of its process, the process, and its start where the system tells it. */
const HOLDER = /@([^@]+)@(\d+)(?:@(\d+))?@/;

/** Whoever works on a folder writes into it, or touches it, all the time; what another space has let rest for so long is nobody's. */
const REST_MS = 24 * 3_600_000;
const BEAT_MS = 600_000;

/** For the name of a folder that is worked on: whose it is. */
export function holder(): string {
  const start = startMark(process.pid);
  return `@${[processSpace(), process.pid, ...(start === undefined ? [] : [start])].join("@")}@`;
}

/** Says that a folder is worked on for as long as it is, also where it is only read. */
export async function whileWorkedOn<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => touch(directory), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

/** Whether who works on a folder is gone, or did not sign. Processes of another space cannot be seen from here. */
export async function isAbandoned(directory: string, nowMs = Date.now()): Promise<boolean> {
  const [, space, pid, start] = HOLDER.exec(basename(directory)) ?? [];
  if (space === undefined) return true;
  if (space === processSpace()) return !isAlive(Number(pid), Number(start ?? 0));
  return nowMs - (await lastWrittenMs(directory)) > REST_MS;
}

async function lastWrittenMs(directory: string): Promise<number> {
  try {
    const names = await readdir(directory);
    const found = await Promise.all(
      [directory, ...names.map((name) => join(directory, name))].map((path) => stat(path)),
    );
    return Math.max(...found.map(({ mtimeMs }) => mtimeMs));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return Date.now(); // something went a moment ago: somebody is at work
  }
}
