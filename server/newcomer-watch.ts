/** The transport tries every 10 s, for 3 s at most: so long without a word, and its check itself has failed. */
const STALE_AFTER_MS = 30_000;

/** What one transport has told of the sessions that it opens with itself. Told the time, in ms of a monotonic clock. */
export class NewcomerWatch {
  #last: { readonly canEnter: boolean; readonly atMs: number } | null = null;

  hear(canEnter: boolean, nowMs: number): void {
    this.#last = { canEnter, atMs: nowMs };
  }

  /** True until the first word: a transport that has just started has yet to try. */
  getIn(nowMs: number): boolean {
    return this.#last === null || (this.#last.canEnter && nowMs - this.#last.atMs <= STALE_AFTER_MS);
  }
}
