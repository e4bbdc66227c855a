import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive, processSpace, startMark } from "../../media/process-life.mjs";
import { touch } from "../../media/touch.mjs";
import { Problem } from "../problem.mjs";
import { SETUP } from "./clone.mjs";

const RETRY_MS = 200;
/** What a folder says in which nothing can be made. */
const UNWRITABLE = ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR", "EEXIST"];
const UNSIGNED_LIMIT_MS = 5_000; // the holder signs microseconds after the file is made: an older one died in between
export const BEAT_MS = 2_000;
const SILENCE_LIMIT_MS = 20_000; // no living holder's beat is so late: its work is done by other processes

/**
 * Runs `body` while no other process sets this clone up.
 *
 * @template T
 * @param {{output: {write: (text: string) => unknown}, signal?: AbortSignal, folder?: string}} how
 * @param {() => Promise<T>} body
 */
export function withSetupLock({ output, signal, folder = SETUP }, body) {
  /**
   * @param {number} pid
   * @param {string} space
   */
  const onWait = (pid, space) => {
    const holder =
      space === processSpace()
        ? `process ${pid}`
        : `process ${pid} of ${space.replace(/\+\d+$/, "")}, another machine or container`;
    output.write(`waiting for another set-up of this clone to finish (${holder})\n`);
  };
  return withLock(join(folder, "lock"), { signal, onWait }, body);
}

/**
 * Runs `body` while this process alone holds the lock file; waits for a living holder, takes over from a dead one. The
 * holder touches the file all the time, for those on other machines and in other containers, who cannot see it live. No package
 * does it: the first thing that it guards is the installation of packages.
 *
 * @template T
 * @param {string} path
 * @param {{signal?: AbortSignal | undefined, onWait: (pid: number, space: string) => void}} how
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 * @throws {Problem} if no file can be made there
 */
export async function withLock(path, { signal, onWait }, body) {
  makeFolder(dirname(path));
  let shownPid = 0;
  while (!createExclusively(path)) {
    signal?.throwIfAborted();
    const { state, pid, space } = lockState(path);
    if (pid !== 0 && pid !== shownPid) onWait(pid, space);
    shownPid = pid;
    const isFree = state === "free" || (state === "stale" && removeIfStale(path));
    if (!isFree) await delay(RETRY_MS);
  }
  const beat = setInterval(() => touch(path), BEAT_MS);
  try {
    return await body();
  } finally {
    clearInterval(beat);
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
    writeSync(file, [process.pid, startMark(process.pid), processSpace()].join(" "));
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
  if (!cannotBeWritten(error)) return error;
  return new Problem(
    `the folder ${folder} cannot be written (${code}): see to its owner, its rights and its disk's free space`,
    { exitCode: 1 },
  );
}

/** @param {unknown} error whether a folder's owner, rights or disk are why */
export function cannotBeWritten(error) {
  const code = codeOf(error);
  return code !== undefined && UNWRITABLE.includes(code);
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}

/**
 * @param {string} path
 * @returns {{state: "free" | "stale" | "held", pid: number, space: string}} 0 as the holder that has not signed yet
 */
export function lockState(path) {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return { state: "free", pid: 0, space: processSpace() };
  const silentMs = Date.now() - file.mtimeMs;
  const [signedPid, signedStart, space = processSpace()] = readIfThere(path).split(" ");
  const pid = Number(signedPid);
  const isSigned = Number.isSafeInteger(pid) && pid > 0;
  if (isSigned && space !== processSpace()) return judged(silentMs < SILENCE_LIMIT_MS, pid, space);
  if (silentMs > uptime() * 1000) return judged(false, pid, space);
  if (isSigned) return judged(isAlive(pid, Number(signedStart)), pid, space);
  return judged(silentMs <= UNSIGNED_LIMIT_MS, 0, space);
}

/**
 * @param {boolean} isHeld
 * @param {number} pid
 * @param {string} space
 */
function judged(isHeld, pid, space) {
  return /** @type {const} */ ({ state: isHeld ? "held" : "stale", pid: isHeld ? pid : 0, space });
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
 * @returns {boolean} false while another removes it
 */
function removeIfStale(path) {
  const takeover = `${path}.takeover`;
  if (!createExclusively(takeover)) {
    if (lockState(takeover).state === "stale") rmSync(takeover, { force: true });
    return false;
  }
  try {
    if (lockState(path).state === "stale") rmSync(path, { force: true });
    return true;
  } finally {
    rmSync(takeover, { force: true });
  }
}
