import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from "@duckdb/node-api";
import type { Log } from "../log.ts";
import { storageProblem } from "./storage-problem.ts";
import { createTables, INSERT_EVENTS, UPSERT_SESSIONS } from "./tables.ts";

/**
 * DuckDB syncs its write-ahead log at each commit and replays it when the file is opened. The log is folded into the file
 * once it has grown by the threshold: a small one, so that a restart is quick.
 */
const SETTINGS = {
  autoinstall_known_extensions: "false", // nothing is ever fetched
  autoload_known_extensions: "false",
  checkpoint_threshold: "4MB",
  memory_limit: "512MB",
  threads: "2",
};

/** The open file: one connection that writes, others that read. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #insertEvents: DuckDBPreparedStatement;
  readonly #upsertSessions: DuckDBPreparedStatement;

  private constructor(
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    statements: readonly [DuckDBPreparedStatement, DuckDBPreparedStatement],
  ) {
    this.#instance = instance;
    this.#writer = writer;
    [this.#insertEvents, this.#upsertSessions] = statements;
  }

  /** Opens the file, replaying what a crash left in its log. */
  static async open(path: string): Promise<Database> {
    const instance = await DuckDBInstance.create(path, SETTINGS);
    try {
      const writer = await instance.connect();
      await createTables(writer);
      const statements = [
        await writer.prepare(INSERT_EVENTS),
        await writer.prepare(UPSERT_SESSIONS),
      ] as const;
      return new Database(instance, writer, statements);
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
  async write(
    sessions: readonly object[],
    events: readonly object[],
  ): Promise<{ sid: string; sn: number }[]> {
    await this.#writer.run("BEGIN TRANSACTION");
    this.#upsertSessions.bindVarchar(1, JSON.stringify(sessions));
    await this.#upsertSessions.run();
    this.#insertEvents.bindVarchar(1, JSON.stringify(events));
    const inserted = await this.#insertEvents.runAndReadAll();
    await this.#writer.run("COMMIT");
    return inserted.getRowsJS().map(([sid, sn]) => ({ sid: String(sid), sn: Number(sn) }));
  }

  /** A connection for reading; the caller closes it. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  close(): void {
    this.#insertEvents.destroySync();
    this.#upsertSessions.destroySync();
    this.#writer.closeSync();
    this.#instance.closeSync();
  }
}

/**
 * Opens the file; one that is damaged is kept under another name, and a new one is begun.
 *
 * @throws StorageProblem
 */
export async function openDatabase(path: string, log: Log): Promise<Database> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return await Database.open(path);
  } catch (error) {
    const problem = storageProblem(error, path);
    if (problem.kind !== "damaged") throw problem;
    const kept = setAside(path);
    log.error(`${problem.message}; it is kept as ${kept}, and a new one is begun`);
  }
  try {
    return await Database.open(path);
  } catch (error) {
    throw storageProblem(error, path);
  }
}

/** Renames the file and its log. */
function setAside(path: string): string {
  const folder = dirname(path);
  const name = basename(path);
  const keptName = `damaged-${new Date().toISOString().replace(/[:.]/g, "-")}-${name}`;
  for (const file of readdirSync(folder)) {
    if (file === name || file.startsWith(`${name}.`)) {
      renameSync(join(folder, file), join(folder, file.replace(name, keptName)));
    }
  }
  return join(folder, keptName);
}
