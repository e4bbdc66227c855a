import { randomUUID } from "node:crypto";
import type { TelemetryBatch, TelemetryEvent } from "../../../player/src/telemetry/vocabulary.ts";

const RETRY_MS = 5;

/** Servers take nothing from far away. */
const BEGUN_AT_MS = Date.now();

/** Where the server of the moment listens; waits while there is none. */
export type ServerPort = () => Promise<number>;

/** One session that sends as fast as it is answered, each batch again until it was accepted. */
export class Sender {
  readonly sid = randomUUID();
  readonly #port: ServerPort;
  readonly #random: () => number;
  /** All numbers below were accepted. */
  #accepted = 0;
  #isSending = false;
  #failures = 0;
  #isStopped = false;

  constructor(port: ServerPort, random: () => number) {
    this.#port = port;
    this.#random = random;
  }

  /** How many events were answered 2xx: those with a number below. */
  get acceptedEvents(): number {
    return this.#accepted;
  }

  /** Whether a request is under way. */
  get isSending(): boolean {
    return this.#isSending;
  }

  /** Attempts that had no answer, or another than 2xx. */
  get failures(): number {
    return this.#failures;
  }

  /** Sends until `stop`; then the last batch has been accepted, too. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      const size = 1 + Math.floor(this.#random() * 20);
      const events = Array.from({ length: size }, (_, index) => eventOf(this.sid, this.#accepted + index));
      await this.#sendUntilAccepted(events);
      this.#accepted += size;
      if (this.#random() < 0.1) await this.#send(shuffled(events, this.#random)); // a page may repeat itself
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #sendUntilAccepted(events: readonly TelemetryEvent[]): Promise<void> {
    while (!(await this.#send(events))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }

  async #send(events: readonly TelemetryEvent[]): Promise<boolean> {
    const port = await this.#port();
    this.#isSending = true;
    const isAccepted = await post(port, this.sid, events);
    this.#isSending = false;
    if (!isAccepted) this.#failures += 1;
    return isAccepted;
  }
}

/** What an event says follows from its number, so that a changed one is found. */
export function eventOf(sid: string, sn: number): TelemetryEvent {
  return {
    sn,
    ts: BEGUN_AT_MS + sn,
    e: "t",
    pt: checksum(sid, sn),
    ec: `event ${sn}, "quoted"\nof ${sid}`,
  };
}

export function checksum(sid: string, sn: number): number {
  return (Number.parseInt(sid.slice(0, 8), 16) + sn * 7919) % 1_000_003;
}

async function post(port: number, sid: string, events: readonly TelemetryEvent[]): Promise<boolean> {
  const batch: TelemetryBatch = { schema: 1, v: 2, cid: "crash", sf: "d", st: "v", dropped: 0, events };
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/telemetry/sessions/${sid}/events`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(batch),
    });
    await response.arrayBuffer();
    if (response.status >= 400 && response.status < 429) throw new Error(`refused with ${response.status}`);
    return response.ok;
  } catch (error) {
    if (error instanceof TypeError) return false; // the connection ended, and with it the server
    throw error;
  }
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
