import { readFile } from "node:fs/promises";

/** Linux reports CPU time to user space in hundredths of a second, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** CPU seconds a process has used, user and system, its threads included. Linux only. */
export async function cpuSeconds(pid: number): Promise<number> {
  return parseCpuSeconds(await readFile(`/proc/${pid}/stat`, "utf8"));
}

/** Fields 14 and 15 of proc_pid_stat(5). The second, the name, may hold spaces and brackets: count from its last bracket. */
export function parseCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
