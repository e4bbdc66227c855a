/**
 * When a session may be tried again.
 *
 * Chromium keeps every failed handshake for five minutes and delays those that follow the longer the more there are, up
 * to refusing them: a page that tries without a pause locks itself out of WebTransport. Only an attempt costs; asking for
 * the server's address costs nothing, so it is asked first and often.
 */

/** Waiting times between attempts; the last is repeated. */
export const RETRY_AFTER_MS = [250, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const;
/** Share by which a waiting time is made longer or shorter, so that players do not return all at once. */
const JITTER = 0.25;
/** A session that was open for so long was a good one: the next begins with the shortest waiting time. */
const LASTING_MS = 10_000;
/** Least time between attempts, whatever the reason. */
const LEAST_INTERVAL_MS = 1000;
/** The same, when the browser comes online or the page is looked at. */
const SOON_INTERVAL_MS = 5000;

export interface ReconnectScheduleOptions {
  /** Monotonic clock. */
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}

export class ReconnectSchedule {
  readonly #options: ReconnectScheduleOptions;
  #failures = 0;
  #triedMs = Number.NEGATIVE_INFINITY;
  #triedAddress: string | null = null;
  #openedMs: number | null = null;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReconnectScheduleOptions) {
    this.#options = options;
  }

  /** How long to wait before an attempt at this address, which names server and certificates; 0 for none. */
  waitMs(address: string): number {
    // Another server, or another certificate of the same: what failed before says nothing of it.
    const isOther = this.#triedAddress !== null && address !== this.#triedAddress;
    const dueMs = isOther ? this.#triedMs + LEAST_INTERVAL_MS : this.#notBeforeMs;
    return Math.max(0, dueMs - this.#options.nowMs());
  }

  onAttempt(address: string): void {
    this.#triedMs = this.#options.nowMs();
    this.#triedAddress = address;
    this.#openedMs = null;
  }

  onOpen(): void {
    this.#openedMs = this.#options.nowMs();
  }

  /** The attempt failed, or its session ended. */
  onEnd(): void {
    const nowMs = this.#options.nowMs();
    const wasLasting = this.#openedMs !== null && nowMs - this.#openedMs >= LASTING_MS;
    this.#failures = wasLasting ? 1 : this.#failures + 1;
    const delayMs = RETRY_AFTER_MS[Math.min(this.#failures, RETRY_AFTER_MS.length) - 1] ?? 0;
    this.#notBeforeMs = nowMs + delayMs * (1 + JITTER * (2 * this.#options.random() - 1));
  }

  /** Something has changed for the better: an attempt at once, unless there was one just now. */
  allowSoon(): void {
    this.#notBeforeMs = Math.min(this.#notBeforeMs, this.#triedMs + SOON_INTERVAL_MS);
  }

  /** The viewer asked for another session: nothing is held against the next. */
  reset(): void {
    this.#failures = 0;
    this.#notBeforeMs = Number.NEGATIVE_INFINITY;
  }
}
