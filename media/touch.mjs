import { utimesSync } from "node:fs";

/**
 * Says by its time that a file or folder is worked on. A disk that fails is told by the work, and ends it there.
 *
 * @param {string} path
 */
export function touch(path) {
  const nowS = Date.now() / 1000;
  try {
    utimesSync(path, nowS, nowS);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === undefined) throw error;
  }
}
