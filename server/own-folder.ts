import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Viewers' reports and films are nobody else's on this machine. */
const OWNER_ONLY = 0o700;

/** Makes a folder, and those above it that lack, for this account alone. */
export function makeOwnFolder(path: string): void {
  if (existsSync(path)) return;
  makeOwnFolder(dirname(path));
  try {
    mkdirSync(path, { mode: OWNER_ONLY }); // one by one: all at once never ends below /proc in Node 20
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another process was quicker
  }
}
