/** A worker from which nothing comes for so long is dead or stuck. */
const WORKER_SILENT_AFTER_MS = 2000;
export const LIVENESS_TICK_MS = 500;
/** A tick so late means that the page itself did not run, and could hear nothing. */
const LATE_MS = 500;

/** Whether the page hears its worker, which speaks every 100 ms. Pure: told the time, in ms of a monotonic clock. */
export class LivenessWatch {
  #heardMs: number | null = null;
  #tickedMs: number | null = null;

  /** The first message starts the watch: before it the worker's code is still on its way. */
  heard(nowMs: number): void {
    this.#heardMs = Math.max(this.#heardMs ?? nowMs, nowMs);
  }

  /** The worker says that it may be busy, and silent, until then. */
  expectSilence(untilMs: number): void {
    this.heard(untilMs);
  }

  /** Whether the worker is to be given up. Called every LIVENESS_TICK_MS. */
  tick(nowMs: number): boolean {
    const didPageRun = this.#tickedMs !== null && nowMs - this.#tickedMs <= LIVENESS_TICK_MS + LATE_MS;
    this.#tickedMs = nowMs;
    if (this.#heardMs === null) {
      return false;
    }
    if (!didPageRun) {
      this.heard(nowMs);
    }
    return nowMs - this.#heardMs >= WORKER_SILENT_AFTER_MS;
  }
}
