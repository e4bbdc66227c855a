import { existsSync, readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Lets all else on this machine go before a process. On Linux each thread has a priority of its own, and hands it on to those it makes. */
export function goLast(pid: number): void {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW);
    } catch (error) {
      if ((error as { info?: { code?: string } }).info?.code !== "ESRCH") throw error; // it has just ended
    }
  }
}

function threadsOf(pid: number): readonly number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
}
