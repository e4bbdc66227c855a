import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Whether the process that signed is there still. Numbers come again: in the next container Node has the one that it had in
 * the killed one, so the time of its start must be the same, too.
 *
 * @param {number} pid
 * @param {number | undefined} signedStart undefined or 0: it did not say when it had started
 * @param {(pid: number) => number | undefined} startOf
 */
export function isAlive(pid, signedStart, startOf = startMark) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
  if (!signedStart) return true;
  const start = startOf(pid);
  return start === undefined || start === signedStart;
}

/**
 * When a process started: on Linux in clock ticks since the machine did (proc(5)), elsewhere in seconds of the epoch. To be
 * compared with what the same machine says.
 *
 * @param {number} pid
 * @returns {number | undefined} undefined where that cannot be told
 */
export function startMark(pid) {
  if (process.platform === "linux") return startTicks(pid);
  const environment = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", `${pid}`], {
    encoding: "utf8",
    env: environment,
  });
  return startSeconds(stdout ?? "");
}

/** @param {string} said by `ps`, as "Fri Nov 27 22:59:59 2026" */
export function startSeconds(said) {
  const startMs = Date.parse(`${said.trim()} UTC`);
  return Number.isNaN(startMs) ? undefined : startMs / 1000;
}

/** In which a process's number means something: the host, and on Linux the namespace, since containers may share the host's name. */
export function processSpace() {
  const namespace = statSync("/proc/self/ns/pid", { throwIfNoEntry: false });
  const host = hostname().replaceAll(/[^\w.-]/g, "_");
  return namespace === undefined ? host : `${host}+${namespace.ino}`;
}

/** @param {number} pid */
function startTicks(pid) {
  const stat = statOf(pid);
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  return Number.isSafeInteger(ticks) ? ticks : undefined;
}

/** @param {number} pid */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    // A process that ended meanwhile, or a machine without /proc.
    if (["ENOENT", "ESRCH"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "")) return "";
    throw error;
  }
}
