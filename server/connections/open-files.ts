import { readFileSync } from "node:fs";

/** Open files that are the server's own: its program, its database, its services. */
const OWN_FILES = 96;
/** Its socket, and the file that it is being answered from. */
const FILES_PER_CONNECTION = 2;
const FEWEST_CONNECTIONS = 16;

/** Files that this process may have open (`ulimit -n`; Node raises it to the hard limit); null where it cannot be told. */
export function openFileLimit(): number | null {
  if (process.platform !== "linux") return null;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? null : Number(limit);
}

/** Connections for which there are open files enough, at most `wanted`. */
export function connectionsWithin(openFiles: number | null, wanted: number): number {
  if (openFiles === null) return wanted;
  const possible = Math.floor((openFiles - OWN_FILES) / FILES_PER_CONNECTION);
  return Math.max(FEWEST_CONNECTIONS, Math.min(wanted, possible));
}
