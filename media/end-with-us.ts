import { type ChildProcess, spawn } from "node:child_process";

/** The shell waits for the end of its standard input, which this process holds open and never writes to. */
const WATCH = "read -r nothing; kill -KILL $0";

/**
 * Has a process end with this one, also where this one is killed and can end nobody any more: an encoder would go on for hours.
 *
 * @returns to be called once the process has ended by itself
 */
export function endWithUs(pid: number): () => void {
  const watch = begin(pid);
  watch?.on("error", () => undefined); // no process or file is left for it: a saving, and no more
  return () => void watch?.kill("SIGKILL");
}

/** Node tells some failures by an event, and throws others, such as too little memory. */
function begin(pid: number): ChildProcess | null {
  try {
    return spawn("/bin/sh", ["-c", WATCH, String(pid)], { stdio: ["pipe", "ignore", "ignore"] });
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return null;
    throw error;
  }
}
