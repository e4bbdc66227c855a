/** How much of a segment has come. */
export interface Progress {
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /** When it had reached the worker, ms. */
  readonly atMs: number;
}
