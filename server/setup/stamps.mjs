import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The fingerprint that a step last finished with.
 *
 * @param {string} path
 * @returns {string | null} null if it never finished
 */
export function readStamp(path) {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Says that a step has finished; in one move, so that no half-written stamp is ever read.
 *
 * @param {string} path
 * @param {string} value
 */
export function writeStamp(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${value}\n`);
  renameSync(unfinished, path);
}

/** @param {string} path */
export function removeStamp(path) {
  rmSync(path, { force: true });
}
