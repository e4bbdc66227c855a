/**
 * When to ask the server for a sign of life, and when it has given none: transport/wire_format/PROTOCOL.md, section "Heartbeat".
 *
 * QUIC itself notices a dead server only after its idle timeout of 30 s. The times below leave a tick of 100 ms at both
 * ends, so that silence is known within 2 s.
 */

import { COUNT_MODULUS } from "../../../../cc/receiver/wrapping-count.ts";

/** Quiet for so long: a ping is sent. */
const PING_AFTER_MS = 400;
const PING_INTERVAL_MS = 500;
/** Nothing heard for so long after an unanswered ping: the session is silent. */
export const SILENT_AFTER_MS = 1400;

export interface HeartbeatOptions {
  readonly sendPing: (sequence: number) => void;
  readonly onSilence: (isSilent: boolean) => void;
}

/** Pure: told the time, in ms of a monotonic clock. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #heardMs: number;
  #pingedMs = Number.NEGATIVE_INFINITY;
  #unansweredSinceMs: number | null = null;
  #isSilent = false;
  #nextSequence = 0;

  constructor(options: HeartbeatOptions, nowMs: number) {
    this.#options = options;
    this.#heardMs = nowMs;
  }

  /** Anything came: a datagram, bytes of a stream. */
  heard(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#unansweredSinceMs = null;
    if (this.#isSilent) {
      this.#isSilent = false;
      this.#options.onSilence(false);
    }
  }

  /** Called about every 100 ms. */
  tick(nowMs: number): void {
    const isQuiet = nowMs - this.#heardMs >= PING_AFTER_MS;
    if (isQuiet && nowMs - this.#pingedMs >= PING_INTERVAL_MS) {
      this.ping(nowMs);
    }
    const since = this.#unansweredSinceMs;
    if (!this.#isSilent && since !== null && nowMs - since >= SILENT_AFTER_MS) {
      this.#isSilent = true;
      this.#options.onSilence(true);
    }
  }

  /** Asks at once. */
  ping(nowMs: number): void {
    this.#pingedMs = nowMs;
    this.#unansweredSinceMs ??= nowMs;
    this.#options.sendPing(this.#nextSequence);
    this.#nextSequence = (this.#nextSequence + 1) % COUNT_MODULUS;
  }

  /** Time has passed in which nothing could be heard: the silence begins to count now. */
  restart(nowMs: number): void {
    this.#heardMs = nowMs;
    this.#unansweredSinceMs = null;
    this.ping(nowMs);
  }
}
