import { readdir, readFile } from "node:fs/promises";

const KILOBYTE = 1024;

/** What a process holds. */
export interface Holdings {
  /** Of its memory, what lies in the machine's and in no file: the system drops pages of programs as it likes. */
  readonly allocatedBytes: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

/** Linux only. Rejects with ENOENT when the process has ended. */
export async function holdingsOf(pid: number): Promise<Holdings> {
  const [status, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8"),
    readdir(`/proc/${pid}/fd`),
  ]);
  return { allocatedBytes: parseAllocatedBytes(status), descriptors: descriptors.length };
}

/** RssAnon of proc_pid_status(5). */
export function parseAllocatedBytes(status: string): number {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`a process's status without RssAnon: ${status.slice(0, 100)}`);
  return Number(kilobytes) * KILOBYTE;
}
