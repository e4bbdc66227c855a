import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * One hash over files and words, 64 hexadecimal digits: it changes when any of them does.
 *
 * @param {{root: string, files: readonly string[], words?: readonly string[]}} inputs files by absolute path, hashed under the
 *   name relative to `root`, so that a moved clone keeps its stamps
 */
export function fingerprint({ root, files, words = [] }) {
  const hash = createHash("sha256");
  for (const word of words) hash.update(`word\0${word}\0`);
  for (const file of [...files].sort((one, other) => (one < other ? -1 : 1))) {
    const content = readFileSync(file);
    hash.update(`file\0${relative(root, file).replaceAll("\\", "/")}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * Absolute paths of the files below a folder, links and dotfiles left out.
 *
 * @param {string} folder
 * @param {(path: string) => boolean} isWanted
 * @returns {string[]}
 */
export function filesBelow(folder, isWanted) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path, isWanted);
    return entry.isFile() && isWanted(path) ? [path] : [];
  });
}
