import {
  BODY_LIMIT_BYTES,
  CMCD_VERSION,
  EVENTS_PER_BATCH,
  SCHEMA_VERSION,
  type StreamType,
  type TelemetryBatch,
  type TelemetryEvent,
} from "./vocabulary.ts";

/** What a batch says beside its events; also what is kept of a session in the browser. */
export interface StoredSession {
  /** Random UUID. */
  readonly sid: string;
  readonly cid: string;
  readonly st: StreamType;
  /** Events that could not be kept, or were refused for good. */
  readonly dropped: number;
}

/** Events a session may hold; at one in 5 s they are those of a night without a server. */
export const CAPACITY = 10_000;

/** Of the body's limit, for the batch around the events. */
const ENVELOPE_BYTES = 1024;

const encoder = new TextEncoder();

/** Events of one session that no server has accepted yet, in order. The oldest give way, and are counted. */
export class Outbox {
  #session: Omit<StoredSession, "dropped">;
  readonly #capacity: number;
  #dropped: number;
  #events: TelemetryEvent[];
  /** Smaller after a refusal, to find the event that is refused. */
  #batchLimit = EVENTS_PER_BATCH;
  #announcedDropped: number;

  constructor(session: StoredSession, events: readonly TelemetryEvent[] = [], capacity = CAPACITY) {
    const { dropped, ...rest } = session;
    this.#session = rest;
    this.#dropped = dropped;
    this.#announcedDropped = 0;
    this.#events = [...events];
    this.#capacity = capacity;
  }

  get session(): StoredSession {
    return { ...this.#session, dropped: this.#dropped };
  }

  /** Of the batches from here on. */
  set streamType(st: StreamType) {
    this.#session = { ...this.#session, st };
  }

  /** Whether all is told: events, and how many were dropped. */
  get isEmpty(): boolean {
    return this.#events.length === 0 && this.#dropped === this.#announcedDropped;
  }

  /** @returns the event that had to give way; null while there is room */
  add(event: TelemetryEvent): TelemetryEvent | null {
    this.#events.push(event);
    if (this.#events.length <= this.#capacity) return null;
    this.#dropped += 1;
    return this.#events.shift() ?? null;
  }

  /** The oldest events, as many as fit; null when there is nothing to tell. They stay until the batch is settled. */
  next(): TelemetryBatch | null {
    return this.isEmpty ? null : this.#batchOf(this.#events);
  }

  /** The newest events, as many as fit: for the last moment of a page. */
  last(): TelemetryBatch | null {
    return this.isEmpty ? null : this.#batchOf(this.#events.toReversed(), "newest");
  }

  /** The server has them. @returns their numbers */
  accepted(batch: TelemetryBatch): number[] {
    this.#batchLimit = EVENTS_PER_BATCH;
    this.#announcedDropped = Math.max(this.#announcedDropped, batch.dropped);
    return this.#remove(batch);
  }

  /**
   * The server will never take the batch. Of several events the half is tried next; a single one is given up and counted, and
   * twice as many are tried.
   *
   * @returns the numbers of those given up
   */
  refused(batch: TelemetryBatch): number[] {
    if (batch.events.length > 1) {
      this.#batchLimit = Math.ceil(batch.events.length / 2);
      return [];
    }
    const numbers = this.#remove(batch);
    this.#batchLimit = Math.min(EVENTS_PER_BATCH, 2 * this.#batchLimit);
    this.#dropped += numbers.length;
    if (numbers.length === 0) this.#announcedDropped = this.#dropped; // even the bare count is refused
    return numbers;
  }

  #batchOf(events: readonly TelemetryEvent[], order: "oldest" | "newest" = "oldest"): TelemetryBatch {
    const { cid, st } = this.#session;
    const chosen: TelemetryEvent[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const event of events) {
      bytes += encoder.encode(JSON.stringify(event)).length + 1;
      if (chosen.length > 0 && (bytes > BODY_LIMIT_BYTES || chosen.length >= this.#batchLimit)) break;
      chosen.push(event);
    }
    if (order === "newest") chosen.reverse();
    return {
      schema: SCHEMA_VERSION,
      v: CMCD_VERSION,
      cid,
      sf: "d",
      st,
      dropped: this.#dropped,
      events: chosen,
    };
  }

  #remove(batch: TelemetryBatch): number[] {
    const settled = new Set(batch.events.map(({ sn }) => sn));
    const removed = this.#events.filter(({ sn }) => settled.has(sn)).map(({ sn }) => sn);
    this.#events = this.#events.filter(({ sn }) => !settled.has(sn));
    return removed;
  }
}
