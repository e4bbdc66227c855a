import { readdir, readFile } from "node:fs/promises";

const KILOBYTE = 1024;

/** What a process holds. */
export interface Holdings {
  /** Of its memory, what lies in the machine's. */
  readonly residentBytes: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

/** Linux only. Rejects with ENOENT when the process has ended. */
export async function holdingsOf(pid: number): Promise<Holdings> {
  const [status, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readdir(`/proc/${pid}/fd`),
  ]);
  return { residentBytes: parseResidentBytes(status), descriptors: descriptors.length };
}

/** VmRSS of proc_pid_status(5). */
export function parseResidentBytes(status: string): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`a process's status without VmRSS: ${status.slice(0, 100)}`);
  return Number(kilobytes) * KILOBYTE;
}
