import type { EventStore } from "./event-store.ts";
import { Outbox, type StoredSession } from "./outbox.ts";
import { postBatch, type Sent } from "./post-batch.ts";
import type { EventFields, EventType, StreamType, TelemetryBatch } from "./vocabulary.ts";

/** At the most between an event and its first attempt to be sent. */
const FLUSH_INTERVAL_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

export interface TelemetryClientOptions {
  readonly session: StoredSession;
  readonly store: EventStore;
  readonly fetch: typeof fetch;
  /** ms of the epoch. */
  readonly nowMs: () => number;
  /** ms since the page was opened, by a clock that is never set. */
  readonly monotonicMs: () => number;
  /** @returns what cancels it */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Runs the body unless the page of that session still lives. */
  readonly unlessAlive: (sid: string, body: () => Promise<void>) => Promise<void>;
  /** One sentence, once: what is unsent will not outlast the page. */
  readonly onUnkept: (error: unknown) => void;
}

/**
 * Numbers a session's events, keeps them until the server has them, and sends what earlier visits have left. A batch may be
 * sent twice; the server counts an event once.
 */
export class TelemetryClient {
  readonly #options: TelemetryClientOptions;
  readonly #outbox: Outbox;
  #nextNumber = 0;
  #cancelTimer: (() => void) | null = null;
  #isSending = false;
  #failures = 0;
  #isUnkept = false;
  #hasSentLeftOvers = false;
  #isClosed = false;
  /** Changes of the store, one after the other. */
  #storing: Promise<void> = Promise.resolve();

  constructor(options: TelemetryClientOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.session);
    this.#schedule(FLUSH_INTERVAL_MS); // not earlier: a film that starts has the network to itself
  }

  get sid(): string {
    return this.#options.session.sid;
  }

  /** @param atMs when it happened, ms of the epoch */
  report(e: EventType, fields: EventFields = {}, atMs: number = this.#options.nowMs()): void {
    const { monotonicMs } = this.#options;
    const sn = this.#nextNumber++;
    const event = { sn, ts: Math.round(atMs), e, "nuwa-mt": Math.round(monotonicMs()), ...fields };
    const dropped = this.#outbox.add(event);
    this.#keep({ add: [event], remove: dropped === null ? [] : [dropped.sn] });
    if (!this.#isSending && this.#cancelTimer === null) this.#schedule(FLUSH_INTERVAL_MS);
  }

  /** Known once the manifest is. */
  tellStreamType(st: StreamType): void {
    if (st === this.#outbox.session.st) return;
    this.#outbox.streamType = st;
    this.#keep({});
  }

  /** The page is about to be hidden, maybe for good: what is unsent goes now, and outlives the page. */
  async leave(): Promise<void> {
    const batch = this.#outbox.last();
    if (batch !== null) this.#settle(this.#outbox, batch, await this.#post(this.sid, batch, true));
    await this.#storing;
  }

  /** The network is back: no reason to wait. */
  sendNow(): void {
    if (!this.#isSending) this.#schedule(0);
  }

  /** Resolves when the store has what was reported so far. */
  async stored(): Promise<void> {
    await this.#storing;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer?.();
    if (this.#isClosed) return;
    this.#cancelTimer = this.#options.setTimer(() => {
      this.#cancelTimer = null;
      this.#flush().catch((error: unknown) => this.#tellUnkept(error));
    }, delayMs);
  }

  async #flush(): Promise<void> {
    this.#isSending = true;
    let waitMs: number | null = null;
    try {
      waitMs = (await this.#send(this.#outbox)) ?? (await this.#sendLeftOvers());
    } finally {
      // Also where the store fails, which may not tell what earlier visits have left: this one's events go on.
      this.#isSending = false;
      if (waitMs !== null) this.#schedule(waitMs);
      else if (!this.#outbox.isEmpty && this.#cancelTimer === null) this.#schedule(FLUSH_INTERVAL_MS);
    }
  }

  /**
   * Sends all of an outbox. A server that refuses everything is no reason to give all up at once: each event that is given up
   * is followed by a pause.
   *
   * @returns how long to wait; null when all is sent
   */
  async #send(outbox: Outbox): Promise<number | null> {
    for (let batch = outbox.next(); batch !== null; batch = outbox.next()) {
      const sent = await this.#post(outbox.session.sid, batch, false);
      const isGivenUp = this.#settle(outbox, batch, sent);
      if (sent.kind === "later") return this.#backOff(sent.afterMs);
      if (isGivenUp) return this.#backOff(0);
      if (sent.kind === "accepted") this.#failures = 0;
    }
    return null;
  }

  async #sendLeftOvers(): Promise<number | null> {
    if (this.#hasSentLeftOvers) return null;
    const { store, unlessAlive } = this.#options;
    let waitMs: number | null = null;
    for (const session of await store.sessions()) {
      if (session.sid === this.sid || waitMs !== null) continue;
      await unlessAlive(session.sid, async () => {
        waitMs = await this.#send(new Outbox(session, await store.events(session.sid)));
        await this.#storing;
        if (waitMs === null) await store.forget(session.sid);
      });
    }
    this.#hasSentLeftOvers = waitMs === null;
    return waitMs;
  }

  #post(sid: string, batch: TelemetryBatch, keepalive: boolean): Promise<Sent> {
    return postBatch(this.#options.fetch, sid, batch, { keepalive });
  }

  /** @returns whether an event was given up */
  #settle(outbox: Outbox, batch: TelemetryBatch, sent: Sent): boolean {
    if (sent.kind === "later") return false;
    const remove = sent.kind === "accepted" ? outbox.accepted(batch) : outbox.refused(batch);
    this.#keep({ remove }, outbox);
    return sent.kind === "refused" && remove.length > 0;
  }

  /** Twice as long after each failure, and at another moment than other pages. */
  #backOff(atLeastMs: number): number {
    const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 16);
    return Math.max(atLeastMs, delayMs * (0.5 + this.#options.random()));
  }

  #keep(changes: Parameters<EventStore["update"]>[1], outbox = this.#outbox): void {
    const { store } = this.#options;
    const { session } = outbox;
    this.#storing = this.#storing
      .then(() => store.update(session, changes))
      .catch((error: unknown) => this.#tellUnkept(error));
  }

  #tellUnkept(error: unknown): void {
    if (!this.#isUnkept) this.#options.onUnkept(error);
    this.#isUnkept = true;
  }
}
