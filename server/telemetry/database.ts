import { copyFileSync, mkdirSync, readdirSync, renameSync, truncateSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from "@duckdb/node-api";
import type { Log } from "../log.ts";
import { type StorageProblem, storageProblem } from "./storage-problem.ts";
import { createSums, MERGE_SUMS, SUMMED_KEYS } from "./sums.ts";
import { createTables, INSERT_EVENTS, UPSERT_SESSIONS } from "./tables.ts";

/**
 * DuckDB syncs its write-ahead log at each commit and replays it when the file is opened. The log is folded into the file
 * once it has grown by the threshold: a small one, so that a restart is quick. After that each column that grows keeps a block
 * in memory, of dozens of columns: a block of DuckDB's own size, 256 KiB, would make that 24 MB. A file keeps the size it has.
 */
const SETTINGS = {
  autoinstall_known_extensions: "false", // nothing is ever fetched
  autoload_known_extensions: "false",
  checkpoint_threshold: "4MB",
  default_block_size: "65536",
  memory_limit: "512MB",
  threads: "2",
};

/**
 * What a commit changes of an index stays in memory until the log is folded into the file. Sessions are random, so that each
 * new one changes another place: with a million of them those of one log are 250 MB, which is half of the limit.
 */
const MAX_INDEX_BYTES = 128e6;

/** Size and checksum, which stand before the position that DuckDB names. */
const LOG_ENTRY_HEADER_BYTES = 16;

const INDEX_BYTES = "SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag = 'ART_INDEX'";

/** What names an event. */
export interface EventName {
  readonly sid: string;
  readonly sn: number;
}

/** With all columns of the table of events. */
export type EventRow = EventName & Readonly<Record<string, unknown>>;

/** The open file: one connection that writes, others that read. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #maxIndexBytes: number;
  readonly #insertEvents: DuckDBPreparedStatement;
  readonly #upsertSessions: DuckDBPreparedStatement;
  readonly #mergeSums: DuckDBPreparedStatement;

  private constructor(
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    statements: readonly [DuckDBPreparedStatement, DuckDBPreparedStatement, DuckDBPreparedStatement],
    maxIndexBytes: number,
  ) {
    this.#maxIndexBytes = maxIndexBytes;
    this.#instance = instance;
    this.#writer = writer;
    [this.#insertEvents, this.#upsertSessions, this.#mergeSums] = statements;
  }

  /** Opens the file, replaying what a crash left in its log. */
  static async open(path: string, maxIndexBytes = MAX_INDEX_BYTES): Promise<Database> {
    const instance = await DuckDBInstance.create(path, SETTINGS);
    try {
      const writer = await instance.connect();
      await createTables(writer);
      await createSums(writer);
      const statements = [
        await writer.prepare(INSERT_EVENTS),
        await writer.prepare(UPSERT_SESSIONS),
        await writer.prepare(MERGE_SUMS),
      ] as const;
      return new Database(instance, writer, statements, maxIndexBytes);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /**
   * Writes all of it and waits for the disk, or nothing of it.
   *
   * @returns session and number of each event that was not there before
   */
  async write(sessions: readonly object[], events: readonly EventRow[]): Promise<EventName[]> {
    await this.#foldLog();
    await this.#writer.run("BEGIN TRANSACTION");
    this.#upsertSessions.bindVarchar(1, JSON.stringify(sessions));
    await this.#upsertSessions.run();
    this.#insertEvents.bindVarchar(1, JSON.stringify(events));
    const returned = await this.#insertEvents.runAndReadAll();
    const inserted = returned.getRowsJS().map(([sid, sn]) => ({ sid: String(sid), sn: Number(sn) }));
    this.#mergeSums.bindVarchar(1, JSON.stringify(firstOfEach(inserted, events), SUMMED_KEYS));
    await this.#mergeSums.run();
    await this.#writer.run("COMMIT");
    return inserted;
  }

  /** Folds the log into the file where that makes room in memory. */
  async #foldLog(): Promise<void> {
    const summed = await this.#writer.runAndReadAll(INDEX_BYTES);
    if (Number(summed.getRowsJS()[0]?.[0] ?? 0) <= this.#maxIndexBytes) return;
    // One that fails changes nothing; what keeps the disk from being written the commit will tell.
    await this.#writer.run("CHECKPOINT").catch(() => undefined);
  }

  /** A connection for reading; the caller closes it. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  close(): void {
    this.#insertEvents.destroySync();
    this.#upsertSessions.destroySync();
    this.#mergeSums.destroySync();
    this.#writer.closeSync();
    this.#instance.closeSync();
  }
}

/** Of events that come twice the first is stored. */
function firstOfEach(inserted: readonly EventName[], events: readonly EventRow[]): EventRow[] {
  const fresh = new Set(inserted.map(({ sid, sn }) => `${sid} ${sn}`));
  return events.filter(({ sid, sn }) => fresh.delete(`${sid} ${sn}`));
}

/**
 * Opens the file. Of one that is damaged a copy is kept under another name; what can be read of its log goes on, else a new
 * file is begun.
 *
 * @throws StorageProblem
 */
export async function openDatabase(path: string, log: Log): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true });
  const damage = await tryToOpen(path);
  if (damage instanceof Database) return damage;
  const kept = keptName(path);
  if (mendLog(path, kept, damage)) {
    log.error(`${damage.message}; it is kept as ${kept}, and its log is used up to the damage`);
    const rest = await tryToOpen(path);
    if (rest instanceof Database) return rest;
  }
  forEachFile(path, (file, suffix) => renameSync(file, `${kept}${suffix}`));
  log.error(`${damage.message}; it is kept as ${kept}, and a new one is begun`);
  const fresh = await tryToOpen(path);
  if (fresh instanceof Database) return fresh;
  throw fresh;
}

/** @returns the problem where the file is damaged; any other is thrown */
async function tryToOpen(path: string): Promise<Database | StorageProblem> {
  try {
    return await Database.open(path);
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
