import type { Progress } from "../progress.ts";

/** Shortest time between two progress reports of one download: XMLHttpRequest's, for which dash.js's rules are made. */
const PROGRESS_INTERVAL_MS = 50;

/**
 * Thins out a download's progress: its first bytes and its last are always reported, with the time at which they
 * reached the worker, so that a throughput taken from the reports is that of the network.
 */
export class ProgressThrottle {
  readonly #nowMs: () => number;
  readonly #report: (progress: Progress) => void;
  #totalBytes = 0;
  #lastReportMs: number | null = null;

  constructor(nowMs: () => number, report: (progress: Progress) => void) {
    this.#nowMs = nowMs;
    this.#report = report;
  }

  onHead(totalBytes: number): void {
    this.#totalBytes = totalBytes;
  }

  onBytes(loadedBytes: number): void {
    const atMs = this.#nowMs();
    const isDue = this.#lastReportMs === null || atMs - this.#lastReportMs >= PROGRESS_INTERVAL_MS;
    if (isDue || loadedBytes === this.#totalBytes) {
      this.#lastReportMs = atMs;
      this.#report({ loadedBytes, totalBytes: this.#totalBytes, atMs });
    }
  }
}
