import { statSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { TelemetryBatch, TelemetryEvent } from "../../player/src/telemetry/vocabulary.ts";
import type { Log } from "../log.ts";
import type { Database, EventName, EventRow, SessionRow } from "./database.ts";
import { GroupCommit } from "./group-commit.ts";
import { openDatabase, removeDamagedFiles } from "./open-database.ts";
import { StorageProblem, storageProblem } from "./storage-problem.ts";

/** Batches in one transaction, and batches that may wait for the next: all, and those of one address. */
const MAX_GROUP = 200;
const MAX_WAITING = 1000;
const MAX_WAITING_OF_SENDER = 100;
const MAX_READS = 4;
/** Some 30,000 hours of film. Whoever may send telemetry must not fill the disk with it. */
const MAX_BYTES = 4 * 1024 ** 3;
/** Between two looks for what is kept too long, or is too much: while batches come, and at the latest. */
const SWEEP_INTERVAL_MS = 60_000;
const LATEST_SWEEP_MS = 3_600_000;
/** Between two attempts to open a file that could not be. */
const REOPEN_INTERVAL_MS = 1000;

/** A batch as it is kept: of players without our code, too, which need not say what they play. */
export interface StoredBatch extends Pick<TelemetryBatch, "v" | "dropped" | "events"> {
  readonly cid: string | null;
  /** DASH, HLS, Smooth Streaming, other. */
  readonly sf: "d" | "h" | "s" | "o" | null;
  readonly st: TelemetryBatch["st"] | null;
}

export interface SessionBatch {
  readonly sid: string;
  readonly batch: StoredBatch;
}

/** What became of a request's batches, now that they are on the disk. */
export interface Outcome {
  readonly accepted: number;
  /** Events that had been accepted before. */
  readonly duplicates: number;
}

export interface TelemetryStoreOptions {
  /** Absolute. */
  readonly directory: string;
  readonly log: Log;
  /** Of the file: beyond, the oldest sessions give way. */
  readonly maxBytes?: number;
  /** Since the first batch of a session came; null or absent: for as long as there is room. */
  readonly maxAgeMs?: number | null;
  /** ms of the epoch. */
  readonly nowMs?: () => number;
  /** By a clock that is never set. */
  readonly monotonicMs?: () => number;
  readonly onCommit?: (seconds: number) => void;
  /** Told of events that were not there before. */
  readonly onStored?: (events: readonly TelemetryEvent[]) => void;
}

/** Telemetry on the disk. Opens its file when first needed, and anew after a failure. */
export class TelemetryStore {
  readonly path: string;
  readonly #options: Required<TelemetryStoreOptions>;
  readonly #commits: GroupCommit<readonly SessionBatch[], Outcome>;
  readonly #reads = new Set<Promise<unknown>>();
  #opening: Promise<Database> | null = null;
  #closing: Promise<void> = Promise.resolve();
  #problem: StorageProblem | null = null;
  /** By the clock that is never set, as is the next. */
  #reopenAtMs = 0;
  #sweepAtMs = 0;
  #sweepTimer: NodeJS.Timeout | null = null;
  #sweeping: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: TelemetryStoreOptions) {
    this.#options = {
      maxBytes: MAX_BYTES,
      maxAgeMs: null,
      nowMs: Date.now,
      monotonicMs: () => performance.now(),
      onCommit: () => undefined,
      onStored: () => undefined,
      ...options,
    };
    this.path = join(options.directory, "telemetry.duckdb");
    this.#commits = new GroupCommit({
      commit: (reports) => this.#commit(reports),
      maxGroup: MAX_GROUP,
      maxWaiting: MAX_WAITING,
      maxWaitingOfSender: MAX_WAITING_OF_SENDER,
    });
  }

  /** Why nothing can be stored; null while all is well. */
  get problem(): StorageProblem | null {
    return this.#problem;
  }

  /**
   * Resolves once the batch would survive a crash; each event counts once, however often it comes.
   *
   * @param sender whose requests have a share of the waiting together; null: without such a bound
   * @throws StorageProblem where it cannot be stored now: nothing of it was
   */
  accept(item: SessionBatch, sender: string | null = null): Promise<Outcome> {
    return this.acceptAll([item], sender);
  }

  /** The batches of one request, all or none of them. */
  acceptAll(report: readonly SessionBatch[], sender: string | null): Promise<Outcome> {
    return this.#commits.add(report, sender);
  }

  /**
   * Reads over a connection of its own.
   *
   * @throws StorageProblem
   */
  async read<Result>(body: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    if (this.#reads.size >= MAX_READS) throw new StorageProblem("busy", `${MAX_READS} reads are under way`);
    const reading = this.#read(body);
    this.#reads.add(reading);
    try {
      return await reading;
    } finally {
      this.#reads.delete(reading);
    }
  }

  /**
   * Erases a session and all that is kept of it, for good: what a browser still has of it is taken, and not stored.
   *
   * @returns whether there was one
   * @throws StorageProblem
   */
  erase(sid: string): Promise<boolean> {
    return this.#change((database) => database.erase(sid, this.#options.nowMs()));
  }

  /**
   * Erases what is kept too long, or is too much.
   *
   * @throws StorageProblem
   */
  sweep(): Promise<void> {
    this.#sweepAtMs = this.#options.monotonicMs() + SWEEP_INTERVAL_MS;
    const sweep = this.#sweeping.then(() => this.#sweep());
    this.#sweeping = sweep.catch(() => undefined); // told to who asked for it
    return sweep;
  }

  /** Of the file and its log. */
  get fileBytes(): number {
    return sizeBytesOf(this.path) + sizeBytesOf(`${this.path}.wal`);
  }

  /** Sessions in the store. */
  sessionCount(): Promise<number> {
    return this.read(async (connection) => {
      const counted = await connection.runAndReadAll("SELECT count(*) FROM sessions");
      return Number(counted.getRowsJS()[0]?.[0] ?? 0);
    });
  }

  /** What the database holds of the memory, its cache of the file included; at most its limit. */
  memoryBytes(): Promise<number> {
    return this.read(async (connection) => {
      const summed = await connection.runAndReadAll(
        "SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()",
      );
      return Number(summed.getRowsJS()[0]?.[0] ?? 0);
    });
  }

  /** Opens the file now instead of with the first request, and looks after it from then on; what keeps it from that is logged. */
  async open(): Promise<void> {
    await this.#open().catch((error: unknown) => this.#note(error));
    this.#sweepTimer ??= setInterval(() => this.#sweepAside(), LATEST_SWEEP_MS).unref();
    this.#sweepAside();
  }

  /** Stores what waits, then gives the file back. */
  async close(): Promise<void> {
    if (this.#sweepTimer !== null) clearInterval(this.#sweepTimer);
    await this.#commits.drained();
    this.#isClosed = true;
    await this.#sweeping;
    await this.#closeFile();
  }

  async #read<Result>(body: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    const connection = await (await this.#open()).connect();
    try {
      return await body(connection);
    } catch (error) {
      const problem = storageProblem(error, this.path);
      throw problem.kind === "unavailable" ? error : problem; // what is not the storage's is a fault of ours
    } finally {
      connection.closeSync();
    }
  }

  async #commit(reports: readonly (readonly SessionBatch[])[]): Promise<Outcome[]> {
    const items = reports.flat();
    const startedAtMs = performance.now();
    if (this.#options.monotonicMs() >= this.#sweepAtMs) this.#sweepAside();
    const nowMs = this.#options.nowMs();
    const kept = withoutOlderThan(items, nowMs - (this.#options.maxAgeMs ?? Number.POSITIVE_INFINITY));
    const inserted = await this.#change((database) =>
      database.write(sessionRows(kept, nowMs), eventRows(kept, nowMs)),
    );
    this.#noteSuccess();
    this.#options.onCommit((performance.now() - startedAtMs) / 1000);
    this.#options.onStored(storedOf(items, inserted));
    return outcomes(reports, inserted);
  }

  /** Nobody waits for it: batches are stored meanwhile. */
  #sweepAside(): void {
    this.sweep().catch((error: unknown) => {
      if (!this.#isClosed) this.#note(error);
    });
  }

  async #sweep(): Promise<void> {
    const { maxBytes, maxAgeMs, nowMs, log } = this.#options;
    await this.#change((database) => database.forgetErasures(nowMs()));
    removeDamagedFiles(this.path, { beforeMs: maxAgeMs === null ? null : nowMs() - maxAgeMs });
    if (maxAgeMs !== null) {
      const beforeMs = nowMs() - maxAgeMs;
      while (await this.#change((database) => database.eraseSomeBefore(beforeMs)));
    }
    const hasGivenWay = await this.#change((database) =>
      database.keepWithin({ maxBytes, maxAgeMs }, nowMs()),
    );
    if (hasGivenWay) log.warn(`${this.path} is as large as it may become: its oldest sessions gave way`);
  }

  async #change<Result>(body: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await this.#open();
    try {
      return await body(database);
    } catch (error) {
      // After a failed write only the file itself says what is in it: it is read anew.
      const problem = this.#note(error);
      await this.#closeFile(database);
      throw problem;
    }
  }

  #open(): Promise<Database> {
    const { nowMs, monotonicMs, log } = this.#options;
    if (this.#isClosed) return Promise.reject(new StorageProblem("unavailable", "the server is stopping"));
    if (this.#opening !== null) return this.#opening;
    if (this.#problem !== null && monotonicMs() < this.#reopenAtMs) return Promise.reject(this.#problem);
    const opening = this.#closing
      .then(() => openDatabase(this.path, log, nowMs()))
      .then(
        (database) => this.#opened(database),
        (error: unknown) => {
          this.#opening = null;
          throw this.#note(error);
        },
      );
    this.#opening = opening;
    return opening;
  }

  #opened(database: Database): Database {
    if (this.#problem?.kind !== "full") this.#noteSuccess(); // a full disk can be read from
    return database;
  }

  #noteSuccess(): void {
    if (this.#problem !== null) this.#options.log.info(`telemetry is stored again in ${this.path}`);
    this.#problem = null;
  }

  /** Logs a problem once, however many requests meet it. */
  #note(error: unknown): StorageProblem {
    const problem = storageProblem(error, this.path);
    if (problem.kind !== this.#problem?.kind)
      this.#options.log.error(`telemetry is not stored: ${problem.message}`);
    this.#problem = problem;
    this.#reopenAtMs = this.#options.monotonicMs() + REOPEN_INTERVAL_MS;
    return problem;
  }

  /** @param failed the one that is meant; another may have been opened since. Absent: whichever is open */
  async #closeFile(failed?: Database): Promise<void> {
    const opening = this.#opening;
    if (opening === null) return;
    if (failed !== undefined && (await opening.catch(() => null)) !== failed) return;
    if (this.#opening !== opening) return;
    this.#opening = null;
    this.#closing = this.#closeWhenRead(opening);
    await this.#closing;
  }

  /** A file opened twice at a time would be damaged: it is not opened again before all have left it. */
  async #closeWhenRead(opening: Promise<Database>): Promise<void> {
    await Promise.allSettled(this.#reads);
    await (await opening).close();
  }
}

function sizeBytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Browsers send late what they kept: it must not begin its time in the store anew. */
function withoutOlderThan(items: readonly SessionBatch[], oldestMs: number): readonly SessionBatch[] {
  return items.flatMap(({ sid, batch }) => {
    const events = batch.events.filter(({ ts }) => ts >= oldestMs);
    return events.length === 0 && batch.events.length > 0 ? [] : [{ sid, batch: { ...batch, events } }];
  });
}

function sessionRows(items: readonly SessionBatch[], nowMs: number): SessionRow[] {
  const rows = new Map<string, SessionRow & { dropped: number }>();
  for (const { sid, batch } of items) {
    const { cid, sf, st, v } = batch;
    const dropped = Math.max(batch.dropped, rows.get(sid)?.dropped ?? 0);
    const row = { sid, cid, sf, st, v, dropped, received_at_ms: nowMs };
    rows.set(sid, row);
  }
  return [...rows.values()];
}

function eventRows(items: readonly SessionBatch[], nowMs: number): EventRow[] {
  return items.flatMap(({ sid, batch }) =>
    batch.events.map((event) => ({ ...event, sid, received_at_ms: nowMs })),
  );
}

/** Of an event that came twice, the first. */
function storedOf(items: readonly SessionBatch[], inserted: readonly EventName[]): TelemetryEvent[] {
  const fresh = new Set(inserted.map(({ sid, sn }) => `${sid} ${sn}`));
  return items.flatMap(({ sid, batch }) => batch.events.filter(({ sn }) => fresh.delete(`${sid} ${sn}`)));
}

/** Two requests of a group may hold the same event: it is the first one's. */
function outcomes(reports: readonly (readonly SessionBatch[])[], inserted: readonly EventName[]): Outcome[] {
  const fresh = new Set(inserted.map(({ sid, sn }) => `${sid} ${sn}`));
  return reports.map((report) => {
    const names = report.flatMap(({ sid, batch }) => batch.events.map(({ sn }) => `${sid} ${sn}`));
    const accepted = names.filter((name) => fresh.delete(name)).length;
    return { accepted, duplicates: names.length - accepted };
  });
}
