import type { RequestListener } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** What a page has to read before it can open a session. */
const CONFIGURATION = "/api/config";
/** Later than this a page meets another stretch of its link than the pages that it is compared with. */
export const LATEST_MS = 300;

/** A page asked too late; the message is one sentence. */
export class LateError extends Error {}

/**
 * Keeps the page from its session until it is time: its scripts are loaded and compiled by then, and what follows takes as long
 * on a fast computer as on a slow one.
 */
export class SessionGate {
  readonly listener: RequestListener;
  #release: (() => void) | null = null;
  readonly #isOpen = new Promise<void>((resolve) => {
    this.#release = resolve;
  });
  #ask: ((atMs: number) => void) | null = null;
  readonly #askedAtMs = new Promise<number>((resolve) => {
    this.#ask = resolve;
  });

  constructor(app: RequestListener) {
    this.listener = (request, response) => {
      if (request.url?.startsWith(CONFIGURATION) !== true) return app(request, response);
      this.#ask?.(now());
      void this.#isOpen.then(() => app(request, response));
    };
  }

  /** @returns when, ms of the epoch */
  async open(): Promise<number> {
    this.#release?.();
    return now();
  }

  /**
   * At this time of the epoch. @returns when a page could go on: a little later than that where it asked later
   * @throws LateError
   */
  async openAt(atMs: number, signal: AbortSignal): Promise<number> {
    await pause(Math.max(0, atMs - now()), undefined, { signal });
    const openedAtMs = await this.open();
    const wentOnAtMs = Math.max(openedAtMs, await this.#askedAtMs);
    const lateMs = wentOnAtMs - atMs;
    if (lateMs > LATEST_MS) {
      throw new LateError(
        `the page asked for its session ${(lateMs / 1000).toFixed(1)} s late; is the machine busy?`,
      );
    }
    return wentOnAtMs;
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
