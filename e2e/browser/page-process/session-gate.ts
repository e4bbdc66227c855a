import type { RequestListener } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** What a page has to read before it can open a session. */
const CONFIGURATION = "/api/config";

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

  /** At this time of the epoch. @returns when a page could go on: later than that where it asked later */
  async openAt(atMs: number, signal: AbortSignal): Promise<number> {
    await pause(Math.max(0, atMs - now()), undefined, { signal });
    const openedAtMs = await this.open();
    return Math.max(openedAtMs, await this.#askedAtMs);
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
