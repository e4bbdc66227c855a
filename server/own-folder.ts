import { mkdirSync } from "node:fs";

/** Viewers' reports and films are nobody else's on this machine. */
const OWNER_ONLY = 0o700;

/** Makes a folder, and those above it that lack, for this account alone. */
export function makeOwnFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
}
