import { gzipSync } from "node:zlib";

/** The most kB (1000 bytes) that these files of the library have, gzipped, the worker in them included. */
export const MOST_KB: Readonly<Record<string, number>> = {
  "nuwa-stream-core.js": 20,
  "nuwa-stream-player.iife.js": 39,
};

/** What is wrong with a file's size; null if nothing is. */
export function tooLarge(fileName: string, code: string): string | null {
  const mostKb = MOST_KB[fileName];
  const kb = gzipSync(code, { level: 9 }).length / 1000;
  return mostKb === undefined || kb <= mostKb
    ? null
    : `${fileName} has ${kb.toFixed(1)} kB gzipped, more than the ${mostKb} of player/library-size.ts`;
}
