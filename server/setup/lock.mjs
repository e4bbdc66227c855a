import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive, startTicks } from "../../media/process-life.mjs";
import { Problem } from "../problem.mjs";
import { SETUP } from "./clone.mjs";

const RETRY_MS = 200;
/** What a folder says in which nothing can be made. */
const UNWRITABLE = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "EEXIST"];
const UNSIGNED_LIMIT_MS = 5_000; // the holder signs microseconds after the file is made: an older one died in between

/**
 * Runs `body` while no other process sets this clone up.
 *
 * @template T
 * @param {{output: {write: (text: string) => unknown}, signal?: AbortSignal, folder?: string}} how
 * @param {() => Promise<T>} body
 */
export function withSetupLock({ output, signal, folder = SETUP }, body) {
  /** @param {number} pid */
  const onWait = (pid) =>
    output.write(`waiting for another set-up of this clone to finish (process ${pid})\n`);
  return withLock(join(folder, "lock"), { signal, onWait }, body);
}

/**
 * Runs `body` while this process alone holds the lock file; waits for a living holder, takes over from a dead one. No
 * package does it: the first thing that it guards is the installation of packages.
 *
 * @template T
 * @param {string} path
 * @param {{signal?: AbortSignal | undefined, onWait: (pid: number) => void}} how
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 * @throws {Problem} if no file can be made there
 */
export async function withLock(path, { signal, onWait }, body) {
  makeFolder(dirname(path));
  let shownPid = 0;
  while (!createExclusively(path)) {
    signal?.throwIfAborted();
    const { state, pid } = lockState(path);
    if (state === "stale") removeIfStale(path);
    if (pid !== 0 && pid !== shownPid) onWait(pid);
    shownPid = pid;
    if (state === "held") await delay(RETRY_MS);
  }
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
}

/** @param {string} folder */
function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/**
 * @param {string} path
 * @returns {boolean} false if it is there already
 */
function createExclusively(path) {
  try {
    const file = openSync(path, "wx");
    writeSync(file, [process.pid, startTicks(process.pid)].join(" "));
    closeSync(file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw unwritable(dirname(path), error);
  }
}

/**
 * @param {string} folder
 * @param {unknown} error
 * @returns {unknown} a Problem, or the error itself where nothing better can be said
 */
function unwritable(folder, error) {
  const code = codeOf(error);
  if (code === undefined || !UNWRITABLE.includes(code)) return error;
  return new Problem(
    `the folder ${folder} cannot be written (${code}): see to its owner, its rights and its disk's free space`,
    { exitCode: 1 },
  );
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}

/**
 * @param {string} path
 * @returns {{state: "free" | "stale" | "held", pid: number}} 0 as the holder that has not signed yet
 */
export function lockState(path) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return { state: "free", pid: 0 };
  if (file.mtimeMs < Date.now() - uptime() * 1000) return { state: "stale", pid: 0 };
  const [pid = 0, signedTicks] = readIfThere(path).split(" ").map(Number);
  if (Number.isSafeInteger(pid) && pid > 0)
    return isAlive(pid, signedTicks) ? { state: "held", pid } : { state: "stale", pid: 0 };
  return { state: file.mtimeMs < Date.now() - UNSIGNED_LIMIT_MS ? "stale" : "held", pid: 0 };
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw error;
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
