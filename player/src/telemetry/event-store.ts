import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { CAPACITY, type StoredSession } from "./outbox.ts";
import type { TelemetryEvent } from "./vocabulary.ts";

/** What of the unsent outlasts the page. */
export interface EventStore {
  /** Keeps events of a session, and forgets others of it. */
  update(session: StoredSession, changes: Changes): Promise<void>;
  /** All sessions that have something unsent, the oldest first. */
  sessions(): Promise<StoredSession[]>;
  /** Unsent events of a session, in order. */
  events(sid: string): Promise<TelemetryEvent[]>;
  forget(sid: string): Promise<void>;
}

export interface Changes {
  readonly add?: readonly TelemetryEvent[];
  /** Numbers of events. */
  readonly remove?: readonly number[];
}

interface Kept extends StoredSession {
  readonly keptAtMs: number;
}

interface Schema extends DBSchema {
  sessions: { key: string; value: Kept };
  events: { key: [string, number]; value: TelemetryEvent & { readonly sid: string } };
}

/** Of the others, the oldest, events give way; how many they were is kept and told. */
const MAX_SESSIONS = 20;

/** In IndexedDB: several pages may share it, each writes its own sessions. Throws where the browser has none. */
export async function openEventStore(nowMs: () => number, name = "nuwa-telemetry"): Promise<EventStore> {
  const database = await openDB<Schema>(name, 1, {
    upgrade(created) {
      created.createObjectStore("sessions", { keyPath: "sid" });
      created.createObjectStore("events", { keyPath: ["sid", "sn"] });
    },
  });
  await dropOldest(database);
  return new IndexedEventStore(database, nowMs);
}

class IndexedEventStore implements EventStore {
  readonly #database: IDBPDatabase<Schema>;
  readonly #nowMs: () => number;

  constructor(database: IDBPDatabase<Schema>, nowMs: () => number) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  async update(session: StoredSession, { add = [], remove = [] }: Changes): Promise<void> {
    const transaction = this.#database.transaction(["sessions", "events"], "readwrite");
    const events = transaction.objectStore("events");
    await Promise.all([
      transaction.objectStore("sessions").put({ ...session, keptAtMs: this.#nowMs() }),
      ...add.map((event) => events.put({ ...event, sid: session.sid })),
      ...remove.map((sn) => events.delete([session.sid, sn])),
      transaction.done,
    ]);
  }

  async sessions(): Promise<StoredSession[]> {
    const kept = (await this.#database.getAll("sessions")).sort(
      (one, other) => one.keptAtMs - other.keptAtMs,
    );
    return kept.map(({ keptAtMs: _keptAtMs, ...session }) => session);
  }

  async events(sid: string): Promise<TelemetryEvent[]> {
    const kept = await this.#database.getAll("events", eventsOf(sid), CAPACITY);
    return kept.map(({ sid: _sid, ...event }) => event);
  }

  async forget(sid: string): Promise<void> {
    await forget(this.#database, sid);
  }
}

async function dropOldest(database: IDBPDatabase<Schema>): Promise<void> {
  const sessions = (await database.getAll("sessions")).sort((one, other) => other.keptAtMs - one.keptAtMs);
  for (const session of sessions.slice(MAX_SESSIONS)) {
    const transaction = database.transaction(["sessions", "events"], "readwrite");
    const dropped = session.dropped + (await transaction.objectStore("events").count(eventsOf(session.sid)));
    await Promise.all([
      transaction.objectStore("sessions").put({ ...session, dropped }),
      transaction.objectStore("events").delete(eventsOf(session.sid)),
      transaction.done,
    ]);
  }
}

async function forget(database: IDBPDatabase<Schema>, sid: string): Promise<void> {
  const transaction = database.transaction(["sessions", "events"], "readwrite");
  await Promise.all([
    transaction.objectStore("sessions").delete(sid),
    transaction.objectStore("events").delete(eventsOf(sid)),
    transaction.done,
  ]);
}

const eventsOf = (sid: string): IDBKeyRange => IDBKeyRange.bound([sid, 0], [sid, Number.MAX_SAFE_INTEGER]);

/** Keeps nothing: what is unsent when the page ends is lost. */
export const NO_EVENT_STORE: EventStore = {
  update: async () => undefined,
  sessions: async () => [],
  events: async () => [],
  forget: async () => undefined,
};
