import { readdir, readFile } from "node:fs/promises";

/** What the threads of some processes had of the processors, and how long they stood ready and were given none. */
export interface CpuUse {
  readonly usedSeconds: number;
  readonly waitedSeconds: number;
}

const NANOSECONDS = 1e9;

/**
 * Of all threads that live now in these process groups, since each began; null where the system does not tell (Linux alone
 * does, in schedstat of proc(5)).
 */
export async function cpuUseOf(groups: readonly number[]): Promise<CpuUse | null> {
  const pids = await readdir("/proc").catch(() => null);
  if (pids === null) return null;
  let [usedSeconds, waitedSeconds, hasRead] = [0, 0, false];
  for (const pid of pids.filter((name) => /^\d+$/.test(name))) {
    if (!groups.includes(Number(await groupOf(pid)))) continue;
    for (const thread of await listed(`/proc/${pid}/task`)) {
      const [used, waited] = parseSchedstat(await textOf(`/proc/${pid}/task/${thread}/schedstat`));
      if (used === undefined || waited === undefined) continue;
      hasRead = true;
      usedSeconds += used;
      waitedSeconds += waited;
    }
  }
  return hasRead ? { usedSeconds, waitedSeconds } : null;
}

/** From one reading to a later one. Threads that ended meanwhile took theirs with them. */
export function cpuUseBetween(earlier: CpuUse | null, later: CpuUse | null): CpuUse | null {
  if (earlier === null || later === null) return null;
  return {
    usedSeconds: Math.max(0, later.usedSeconds - earlier.usedSeconds),
    waitedSeconds: Math.max(0, later.waitedSeconds - earlier.waitedSeconds),
  };
}

/** How much longer everything took than on a machine that is there for it alone; 1 where that is not known. */
export function slowdownOf(use: CpuUse | null): number {
  return use === null || use.usedSeconds === 0 ? 1 : 1 + use.waitedSeconds / use.usedSeconds;
}

/** Seconds on a processor and seconds of waiting for one; empty for a thread that has ended. */
export function parseSchedstat(text: string): number[] {
  return text === "" ? [] : text.split(" ", 2).map((nanoseconds) => Number(nanoseconds) / NANOSECONDS);
}

/** Field 5 of proc_pid_stat(5), behind the name, which may hold spaces and brackets; undefined if it has ended. */
async function groupOf(pid: string): Promise<string | undefined> {
  const stat = await textOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2];
}

/** Processes and threads may end while they are read. */
const textOf = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
const listed = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
