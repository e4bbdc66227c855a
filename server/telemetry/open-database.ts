import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Log } from "../log.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { Database, type OpenOptions } from "./database.ts";
import { type StorageProblem, storageProblem } from "./storage-problem.ts";

/** Size and checksum, which stand before the position that DuckDB names. */
const LOG_ENTRY_HEADER_BYTES = 16;

/** Of those that are kept for a person to look at. */
const MOST_DAMAGED_FILES = 2;
const DAMAGED = "damaged-";

/**
 * Opens the file. Of a log that is damaged a copy is kept, and what can be read of it goes on. A file that is damaged is kept
 * under another name, and a new one is begun.
 *
 * @throws StorageProblem
 */
export async function openDatabase(path: string, log: Log, nowMs = Date.now()): Promise<Database> {
  makeOwnFolder(dirname(path));
  const onCopy = (events: number) =>
    log.info(
      `${path} is another version's: its ${events} events are copied, which takes minutes where it is large`,
    );
  const options = { nowMs, onCopy };
  const damage = await tryToOpen(path, options);
  if (damage instanceof Database) return damage;
  const kept = keptName(path);
  if (mendLog(path, kept, damage)) {
    log.error(`${damage.message}; its log is kept as ${kept}.wal, and used up to the damage`);
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
  copyFileSync(`${path}.wal`, `${kept}.wal`);
  truncateSync(`${path}.wal`, Math.max(0, Number(position) - LOG_ENTRY_HEADER_BYTES));
  return true;
}

/** What was set aside long ago, and what is more than the newest few. @param beforeMs ms of the epoch; null: of any age */
export function removeDamagedFiles(path: string, { beforeMs }: { readonly beforeMs: number | null }): void {
  const directory = dirname(path);
  if (!existsSync(directory)) return;
  const damaged = readdirSync(directory).filter(
    (name) => name.startsWith(DAMAGED) && name.includes(basename(path)),
  );
  const newestFirst = damaged
    .map((name) => ({ file: join(directory, name), atMs: statSync(join(directory, name)).mtimeMs }))
    .toSorted((a, b) => b.atMs - a.atMs);
  newestFirst.forEach(({ file, atMs }, place) => {
    if (place >= MOST_DAMAGED_FILES || (beforeMs !== null && atMs < beforeMs)) rmSync(file, { force: true });
  });
}

function keptName(path: string): string {
  return join(dirname(path), `${DAMAGED}${new Date().toISOString().replace(/[:.]/g, "-")}-${basename(path)}`);
}

/** The file and its log, with what comes after the file's name. */
function forEachFile(path: string, body: (file: string, suffix: string) => void): void {
  for (const name of readdirSync(dirname(path))) {
    if (name !== basename(path) && !name.startsWith(`${basename(path)}.`)) continue;
    body(join(dirname(path), name), name.slice(basename(path).length));
  }
}
