import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const RETRY_MS = 200;
const UNSIGNED_LIMIT_MS = 5_000; // the pid is written microseconds after the file is made: an older one died in between

/** @typedef {{state: "free"} | {state: "stale"} | {state: "unsigned"} | {state: "held", pid: number}} LockState */

/**
 * Runs `body` while this process alone holds the lock file; waits for a living holder, takes over from a dead one.
 *
 * @template T
 * @param {string} path
 * @param {{signal: AbortSignal, onWait: (pid: number) => void}} how
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(path, { signal, onWait }, body) {
  mkdirSync(dirname(path), { recursive: true });
  /** @type {number | null} */
  let toldOf = null;
  while (!createExclusively(path)) {
    signal.throwIfAborted();
    const lock = lockState(path);
    if (lock.state === "stale") removeIfStale(path);
    if (lock.state === "held" && lock.pid !== toldOf) {
      toldOf = lock.pid;
      onWait(lock.pid);
    }
    if (lock.state === "held" || lock.state === "unsigned") await delay(RETRY_MS);
  }
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * @param {string} path
 * @returns {boolean} false if it is there already
 */
function createExclusively(path) {
  try {
    const file = openSync(path, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {LockState}
 */
export function lockState(path) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return { state: "free" };
  if (file.mtimeMs < Date.now() - uptime() * 1000) return { state: "stale" };
  let content;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return { state: "free" };
    throw error;
  }
  const pid = Number(content);
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    return { state: file.mtimeMs < Date.now() - UNSIGNED_LIMIT_MS ? "stale" : "unsigned" };
  }
  return isAlive(pid) ? { state: "held", pid } : { state: "stale" };
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Removes a dead holder's lock. Under a second lock: of two that find it dead, the slower must not remove the lock that
 * the faster has taken meanwhile.
 *
 * @param {string} path
 */
function removeIfStale(path) {
  const takeover = `${path}.takeover`;
  if (!createExclusively(takeover)) {
    if (lockState(takeover).state === "stale") rmSync(takeover, { force: true });
    return;
  }
  try {
    if (lockState(path).state === "stale") rmSync(path, { force: true });
  } finally {
    rmSync(takeover, { force: true });
  }
}
