import { copyFileSync, mkdirSync, readdirSync, renameSync, truncateSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Log } from "../log.ts";
import { Database, type OpenOptions } from "./database.ts";
import { type StorageProblem, storageProblem } from "./storage-problem.ts";

/** Size and checksum, which stand before the position that DuckDB names. */
const LOG_ENTRY_HEADER_BYTES = 16;

/**
 * Opens the file. Of one that is damaged a copy is kept under another name; what can be read of its log goes on, else a new
 * file is begun.
 *
 * @throws StorageProblem
 */
export async function openDatabase(path: string, log: Log, nowMs = Date.now()): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true });
  const onCopy = (events: number) =>
    log.info(
      `${path} is another version's: its ${events} events are copied, which takes minutes where it is large`,
    );
  const options = { nowMs, onCopy };
  const damage = await tryToOpen(path, options);
  if (damage instanceof Database) return damage;
  const kept = keptName(path);
  if (mendLog(path, kept, damage)) {
    log.error(`${damage.message}; it is kept as ${kept}, and its log is used up to the damage`);
    const rest = await tryToOpen(path, options);
    if (rest instanceof Database) return rest;
  }
  forEachFile(path, (file, suffix) => renameSync(file, `${kept}${suffix}`));
  log.error(`${damage.message}; it is kept as ${kept}, and a new one is begun`);
  const fresh = await tryToOpen(path, options);
  if (fresh instanceof Database) return fresh;
  throw fresh;
}

/** @returns the problem where the file is damaged; any other is thrown */
async function tryToOpen(path: string, options: OpenOptions): Promise<Database | StorageProblem> {
  try {
    return await Database.open(path, options);
  } catch (error) {
    const problem = storageProblem(error, path);
    if (problem.kind !== "damaged") throw problem;
    return problem;
  }
}

/** A crash of the machine can leave an end of the log that was never written: what stands before it was synced. */
function mendLog(path: string, kept: string, { message }: StorageProblem): boolean {
  const position = /Corrupt WAL file: entry at byte position (\d+)/.exec(message)?.[1];
  if (position === undefined) return false;
  forEachFile(path, (file, suffix) => copyFileSync(file, `${kept}${suffix}`));
  truncateSync(`${path}.wal`, Math.max(0, Number(position) - LOG_ENTRY_HEADER_BYTES));
  return true;
}

function keptName(path: string): string {
  return join(dirname(path), `damaged-${new Date().toISOString().replace(/[:.]/g, "-")}-${basename(path)}`);
}

/** The file and its log, with what comes after the file's name. */
function forEachFile(path: string, body: (file: string, suffix: string) => void): void {
  for (const name of readdirSync(dirname(path))) {
    if (name !== basename(path) && !name.startsWith(`${basename(path)}.`)) continue;
    body(join(dirname(path), name), name.slice(basename(path).length));
  }
}
