import type { Log } from "../log.ts";

const INTERVAL_MS = 60_000;

/** Says that connections had to leave, at most once a minute: there may be thousands of them. */
export class EvictionLog {
  readonly #log: Pick<Log, "warn">;
  readonly #nowMs: () => number;
  #silentUntilMs = 0;
  #untold = 0;

  constructor(log: Pick<Log, "warn">, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** @param address whose connection left */
  note(address: string): void {
    this.#untold += 1;
    if (this.#nowMs() < this.#silentUntilMs) return;
    this.#silentUntilMs = this.#nowMs() + INTERVAL_MS;
    this.#log.warn(`no place was left for connections: ${this.#untold} had to leave, the last of ${address}`);
    this.#untold = 0;
  }
}
