import { threadsOf } from "./process-threads.ts";

/** What the threads of some processes had of the processors, and how long they stood ready and were given none. */
export interface CpuUse {
  readonly usedSeconds: number;
  readonly waitedSeconds: number;
}

/**
 * Of all threads that live now in these process groups, since each began; null where the system does not tell (Linux alone
 * does).
 */
export async function cpuUseOf(groups: readonly number[]): Promise<CpuUse | null> {
  const threads = await threadsOf(groups);
  if (threads.length === 0) return null;
  return {
    usedSeconds: threads.reduce((sum, thread) => sum + thread.usedSeconds, 0),
    waitedSeconds: threads.reduce((sum, thread) => sum + thread.waitedSeconds, 0),
  };
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
