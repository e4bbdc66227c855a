import { basename, join } from "node:path";
import { closest } from "fastest-levenshtein";
import { Problem } from "../../problem.mjs";
import { filesBelow } from "../fingerprint.mjs";
import { ROOT } from "../paths.ts";

const IS_TEST = /(?:^|\/)test_[^/]*\.py$|\.test\.ts$/;

/** Every test file of the clone, relative to it. */
export function testFiles(): string[] {
  return filesBelow(ROOT, () => true)
    .map((path) => path.slice(join(ROOT, "/").length).replaceAll("\\", "/"))
    .filter((path) => IS_TEST.test(path))
    .toSorted((one, other) => (one < other ? -1 : 1));
}

/**
 * The files that words ask for: those of the folders named, and of them, where other words are given, those with one of the
 * words in their path.
 *
 * @throws Problem naming the nearest word for one that leaves nothing
 */
export function selectFiles(words: readonly string[], files: readonly string[]): string[] {
  const folders = new Set(files.map((path) => path.split("/")[0] ?? ""));
  const asked = words.map((word) => word.replace(/\/$/, ""));
  const named = asked.filter((word) => folders.has(word));
  const filters = asked.filter((word) => !folders.has(word));
  const inFolders = files.filter((path) => named.length === 0 || named.includes(path.split("/")[0] ?? ""));
  for (const filter of filters)
    if (!inFolders.some((path) => hasWord(path, filter))) throw unknown(filter, inFolders);
  return inFolders.filter((path) => filters.length === 0 || filters.some((filter) => hasWord(path, filter)));
}

/** A name has hyphens where it is typed, and in Python files underscores. */
function hasWord(path: string, word: string): boolean {
  return path.replaceAll("_", "-").includes(word.replaceAll("_", "-"));
}

function unknown(word: string, files: readonly string[]): Problem {
  const known = files.flatMap((path) => [
    ...path.split("/").slice(0, -1),
    ...basename(path)
      .replace(/\.test\.ts$|\.py$/g, "")
      .split(/[-_]/),
  ]);
  return new Problem(
    `no test has "${word}" in its path: did you mean ${closest(word, [...new Set(known)])}?`,
  );
}
