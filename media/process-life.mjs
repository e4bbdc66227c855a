import { readFileSync } from "node:fs";

/**
 * Whether the process that signed is there still. Numbers come again: in the next container Node has the one that it had in
 * the killed one, so the time of its start must be the same, too.
 *
 * @param {number} pid
 * @param {number | undefined} signedTicks undefined or 0: it did not say when it had started
 */
export function isAlive(pid, signedTicks) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
  const ticks = startTicks(pid);
  return !signedTicks || ticks === undefined || ticks === signedTicks;
}

/**
 * When a process started, in clock ticks since the machine did (proc(5)).
 *
 * @param {number} pid
 * @returns {number | undefined} undefined where that cannot be told, as on other systems than Linux
 */
export function startTicks(pid) {
  const stat = statOf(pid);
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  return Number.isSafeInteger(ticks) ? ticks : undefined;
}

/** @param {number} pid */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    // Another system, or a process that ended meanwhile.
    if (["ENOENT", "ESRCH"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "")) return "";
    throw error;
  }
}
