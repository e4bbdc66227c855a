import { readdir, readFile } from "node:fs/promises";

/** A thread, and what Linux says of it in schedstat of proc(5). */
export interface ProcessThread {
  /** Where proc(5) keeps its process, and itself. */
  processFolder: string;
  threadFolder: string;
  /** The one that its process began with. */
  isFirst: boolean;
  /** On a processor, since it began. */
  usedSeconds: number;
  /** It stood ready and was given none. */
  waitedSeconds: number;
}

const NANOSECONDS = 1e9;

/** All threads that live now in these process groups; none where the system does not tell (Linux alone does). */
export async function threadsOf(groups: readonly number[]): Promise<ProcessThread[]> {
  const threads: ProcessThread[] = [];
  for (const pid of (await listed("/proc")).filter((name) => /^\d+$/.test(name))) {
    if (!groups.includes(Number(await groupOf(pid)))) continue;
    const processFolder = `/proc/${pid}`;
    for (const thread of await listed(`${processFolder}/task`)) {
      const threadFolder = `${processFolder}/task/${thread}`;
      const [usedSeconds, waitedSeconds] = parseSchedstat(await textOf(`${threadFolder}/schedstat`));
      if (usedSeconds === undefined || waitedSeconds === undefined) continue;
      threads.push({ processFolder, threadFolder, isFirst: thread === pid, usedSeconds, waitedSeconds });
    }
  }
  return threads;
}

/** Seconds on a processor and seconds of waiting for one; empty for a thread that has ended. */
export function parseSchedstat(text: string): number[] {
  return text === "" ? [] : text.split(" ", 2).map((nanoseconds) => Number(nanoseconds) / NANOSECONDS);
}

/** A file's text; empty where its process or thread has ended meanwhile. */
export const textOf = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");

/** Field 5 of proc_pid_stat(5), behind the name, which may hold spaces and brackets; undefined if it has ended. */
async function groupOf(pid: string): Promise<string | undefined> {
  const stat = await textOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
}

const listed = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
