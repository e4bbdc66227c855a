import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from "@duckdb/node-api";
import { type AdoptionOptions, adoptOlderTables } from "./adoption.ts";
import { Erasures } from "./erasures.ts";
import {
  beginGeneration,
  createViews,
  dropGeneration,
  type Generation,
  openGenerations,
} from "./generations.ts";
import { isOver, isToBegin, isTooMuch, type RetentionLimits, sessionsBefore, spaceUse } from "./retention.ts";
import { StorageProblem } from "./storage-problem.ts";
import { mergeSums, SUMMED_KEYS } from "./sums.ts";
import { insertEvents, TABLES, tableOf, upsertSessions } from "./tables.ts";

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

const INDEX_BYTES = "SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory() WHERE tag = 'ART_INDEX'";

/** What names an event. */
export interface EventName {
  readonly sid: string;
  readonly sn: number;
}

/** With all columns of the table of events. */
export type EventRow = EventName & Readonly<Record<string, unknown>>;

/** With all columns of the table of sessions. */
export type SessionRow = Readonly<Record<string, unknown>> & { readonly sid: string };

export interface OpenOptions extends Partial<Pick<AdoptionOptions, "nowMs" | "onCopy">> {
  readonly maxIndexBytes?: number;
}

/** What is written of a generation. */
interface Writing {
  readonly upsertSessions: DuckDBPreparedStatement;
  readonly insertEvents: DuckDBPreparedStatement;
  readonly mergeSums: DuckDBPreparedStatement;
}

/** The open file: one connection that writes, one change after the other, others that read. */
export class Database {
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #maxIndexBytes: number;
  readonly #erasures: Erasures;
  #generations: readonly Generation[];
  readonly #writings = new Map<number, Writing>();
  #lastChange: Promise<unknown> = Promise.resolve();
  /** Why nothing more is changed: a change failed, or the file is being closed. */
  #end: Error | null = null;

  private constructor(
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    generations: readonly Generation[],
    erasures: Erasures,
    maxIndexBytes: number,
  ) {
    this.#instance = instance;
    this.#writer = writer;
    this.#generations = generations;
    this.#erasures = erasures;
    this.#maxIndexBytes = maxIndexBytes;
  }

  /** Opens the file, replaying what a crash left in its log. */
  static async open(
    path: string,
    { maxIndexBytes = MAX_INDEX_BYTES, nowMs = Date.now(), onCopy }: OpenOptions = {},
  ): Promise<Database> {
    const { DuckDBInstance } = await import("@duckdb/node-api"); // 70 MB, which load while the media server starts
    const instance = await DuckDBInstance.create(path, SETTINGS);
    try {
      const writer = await instance.connect();
      await adoptOlderTables(writer, { nowMs, freeBytes: freeBytesBeside(path), ...(onCopy && { onCopy }) });
      await writer.run("BEGIN TRANSACTION");
      const generations = await openGenerations(writer, nowMs);
      const erasures = await Erasures.open(writer);
      await writer.run("COMMIT");
      return new Database(instance, writer, generations, erasures, maxIndexBytes);
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /**
   * Writes all of it and waits for the disk, or nothing of it. What is of a session that was erased is passed over.
   *
   * @returns session and number of each event that was not there before
   */
  write(allSessions: readonly SessionRow[], allEvents: readonly EventRow[]): Promise<EventName[]> {
    return this.#change(async () => {
      const isKept = ({ sid }: { readonly sid: string }) => !this.#erasures.has(sid);
      const [sessions, events] = [allSessions.filter(isKept), allEvents.filter(isKept)];
      await this.#foldLogWhereLarge();
      await this.#writer.run("BEGIN TRANSACTION");
      const numberOf = await this.#generationOf(sessions.map(({ sid }) => sid));
      const inserted: EventName[] = [];
      for (const number of new Set(sessions.map(({ sid }) => numberOf(sid)))) {
        const isOfIt = ({ sid }: { readonly sid: string }) => numberOf(sid) === number;
        inserted.push(...(await this.#insert(number, sessions.filter(isOfIt), events.filter(isOfIt))));
      }
      await this.#writer.run("COMMIT");
      return inserted;
    });
  }

  /** For good: nothing more of the session is written. @returns whether there was such a session */
  erase(sid: string, nowMs: number): Promise<boolean> {
    return this.#change(async () => {
      const found = (await this.#known([sid])).get(sid);
      if (found === undefined) return false;
      await this.#writer.run("BEGIN TRANSACTION");
      await this.#delete(found, [sid]);
      await this.#erasures.add(this.#writer, sid, nowMs);
      await this.#writer.run("COMMIT");
      return true;
    });
  }

  /** Of sessions that were erased so long ago that no browser keeps anything of them. */
  forgetErasures(nowMs: number): Promise<void> {
    return this.#change(() => this.#erasures.forget(this.#writer, nowMs));
  }

  /**
   * Erases some sessions that came first before then; others may write before the next ones are.
   *
   * @returns whether there were any
   */
  eraseSomeBefore(beforeMs: number): Promise<boolean> {
    return this.#change(async () => {
      for (const generation of this.#generations.filter(({ begunAtMs }) => begunAtMs < beforeMs)) {
        const sids = await sessionsBefore(this.#writer, generation, beforeMs);
        if (sids.length === 0) continue;
        await this.#foldLogWhereLarge();
        await this.#writer.run("BEGIN TRANSACTION");
        await this.#delete(generation.number, sids);
        await this.#writer.run("COMMIT");
        return true;
      }
      return false;
    });
  }

  /**
   * Begins a generation where it is time to, and drops the oldest one where all of it is too old, or where there is too much.
   *
   * @returns whether sessions gave way that are not too old
   */
  keepWithin(limits: RetentionLimits, nowMs: number): Promise<boolean> {
    return this.#change(async () => {
      let use = await spaceUse(this.#writer, this.#newest);
      if (use.totalBytes > limits.maxBytes) {
        await this.#foldLog(); // what was dropped while somebody read may not be free yet
        use = await spaceUse(this.#writer, this.#newest);
      }
      if (isToBegin(this.#generations, use, limits, nowMs)) await this.#begin(nowMs);
      if (isOver(this.#generations, limits, nowMs)) {
        while (isOver(this.#generations, limits, nowMs)) await this.#dropOldest();
        use = await spaceUse(this.#writer, this.#newest);
      }
      const isToGiveWay = isTooMuch(this.#generations, use, limits);
      if (isToGiveWay) await this.#dropOldest();
      return isToGiveWay;
    });
  }

  /** A connection for reading; the caller closes it. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  /** After the changes that are under way. */
  async close(): Promise<void> {
    let last: Promise<unknown> | null = null;
    while (last !== this.#lastChange) {
      last = this.#lastChange;
      await last;
    }
    this.#end ??= new StorageProblem("unavailable", "the file is being closed");
    for (const statement of [...this.#writings.values()].flatMap((writing) => Object.values(writing)))
      statement.destroySync();
    this.#writer.closeSync();
    this.#instance.closeSync();
  }

  #change<Result>(body: () => Promise<Result>): Promise<Result> {
    const change = this.#lastChange.then(() => {
      if (this.#end !== null) throw this.#end;
      return body();
    });
    this.#lastChange = change.catch((error: Error) => {
      this.#end ??= error; // told to who asked for it
    });
    return change;
  }

  get #newest(): Generation {
    return this.#generations.at(-1) as Generation; // there is always one
  }

  /** Where each session is, or will be. */
  async #generationOf(sids: readonly string[]): Promise<(sid: string) => number> {
    const newest = this.#newest.number;
    const known = this.#generations.length > 1 ? await this.#known(sids) : new Map<string, number>();
    return (sid) => known.get(sid) ?? newest;
  }

  async #known(sids: readonly string[]): Promise<Map<string, number>> {
    const found = await this.#writer.runAndReadAll(
      `SELECT sid, generation FROM sessions WHERE sid IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
      [JSON.stringify(sids)],
    );
    return new Map(found.getRowsJS().map(([sid, number]) => [String(sid), Number(number)]));
  }

  async #insert(number: number, sessions: readonly SessionRow[], events: readonly EventRow[]) {
    const writing = this.#writings.get(number) ?? (await this.#prepare(number));
    writing.upsertSessions.bindVarchar(1, JSON.stringify(sessions));
    await writing.upsertSessions.run();
    writing.insertEvents.bindVarchar(1, JSON.stringify(events));
    const returned = await writing.insertEvents.runAndReadAll();
    const inserted = returned.getRowsJS().map(([sid, sn]) => ({ sid: String(sid), sn: Number(sn) }));
    writing.mergeSums.bindVarchar(1, JSON.stringify(firstOfEach(inserted, events), SUMMED_KEYS));
    await writing.mergeSums.run();
    return inserted;
  }

  async #prepare(number: number): Promise<Writing> {
    const writing = {
      upsertSessions: await this.#writer.prepare(upsertSessions(number)),
      insertEvents: await this.#writer.prepare(insertEvents(number)),
      mergeSums: await this.#writer.prepare(mergeSums(number)),
    };
    this.#writings.set(number, writing);
    return writing;
  }

  async #delete(number: number, sids: readonly string[]): Promise<void> {
    for (const table of TABLES) {
      await this.#writer.run(
        `DELETE FROM ${tableOf(table, number)} WHERE sid IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
        [JSON.stringify(sids)],
      );
    }
  }

  async #begin(nowMs: number): Promise<void> {
    await this.#writer.run("BEGIN TRANSACTION");
    const begun = await beginGeneration(this.#writer, this.#newest.number + 1, nowMs);
    const generations = [...this.#generations, begun];
    await createViews(this.#writer, generations);
    await this.#writer.run("COMMIT");
    this.#generations = generations;
  }

  async #dropOldest(): Promise<void> {
    const [oldest, ...others] = this.#generations;
    if (oldest === undefined) return;
    for (const statement of Object.values(this.#writings.get(oldest.number) ?? {})) statement.destroySync();
    this.#writings.delete(oldest.number);
    await this.#writer.run("BEGIN TRANSACTION");
    await createViews(this.#writer, others);
    await dropGeneration(this.#writer, oldest);
    await this.#writer.run("COMMIT");
    this.#generations = others;
    await this.#foldLog();
  }

  async #foldLogWhereLarge(): Promise<void> {
    const summed = await this.#writer.runAndReadAll(INDEX_BYTES);
    if (Number(summed.getRowsJS()[0]?.[0] ?? 0) > this.#maxIndexBytes) await this.#foldLog();
  }

  /** Makes room in memory, and frees what was dropped. */
  async #foldLog(): Promise<void> {
    // One that fails changes nothing; what keeps the disk from being written the commit will tell.
    await this.#writer.run("CHECKPOINT").catch(() => undefined);
  }
}

/** Of events that come twice the first is stored. */
function firstOfEach(inserted: readonly EventName[], events: readonly EventRow[]): EventRow[] {
  const fresh = new Set(inserted.map(({ sid, sn }) => `${sid} ${sn}`));
  return events.filter(({ sid, sn }) => fresh.delete(`${sid} ${sn}`));
}

function freeBytesBeside(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}
