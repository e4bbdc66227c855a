import { existsSync, readFileSync } from "node:fs";

/**
 * Ends this program, as a polite kill does, when the npm that started it is gone. npm runs a program through a shell, and a
 * signal to npm reaches the shell only: without this, `kill` would end npm and leave the program behind.
 *
 * @param {number} intervalMs between two looks
 */
export function endWithNpm(intervalMs = 500) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const atStart = parents();
  const timer = setInterval(() => {
    const found = parents();
    if (found === null || found.join() === atStart?.join()) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, intervalMs);
  timer.unref();
}

/**
 * The parent and, if that is a shell that runs one command, its parent: up to npm, no further, since a terminal may
 * well be closed over a program that is to go on.
 *
 * @returns {number[] | null} null where it cannot be told, since no file can be opened at the moment
 */
function parents() {
  const parent = process.ppid;
  const folder = `/proc/${parent}`; // elsewhere than on Linux, the parent alone must do
  if (!existsSync(folder)) return [parent];
  try {
    const isShell = readFileSync(`${folder}/cmdline`, "utf8").split("\0")[1] === "-c";
    return isShell ? [parent, parentIn(readFileSync(`${folder}/stat`, "utf8"))] : [parent];
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT" || code === "ESRCH") return []; // it ended just now
    if (code === "EMFILE" || code === "ENFILE") return null;
    throw error;
  }
}

/** @param {string} stat as in proc(5): the name in parentheses may hold anything */
function parentIn(stat) {
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
