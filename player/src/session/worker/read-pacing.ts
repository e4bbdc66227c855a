/** Read so much at a time: less than the browser keeps of a stream, which is 64 KiB. */
const PIECE_BYTES = 24 * 1024;
/** The longest wait: a film's rates are known by then as well as at once. */
const LONGEST_MS = 20;
/** A wait so short saves nothing. */
const SHORTEST_MS = 2;
/** A wait may last so much longer, until the worker is awake anyway. */
const SLACK_MS = 10;

/** How long to wait, and how much longer at most. */
export interface Wait {
  readonly durationMs: number;
  readonly slackMs: number;
}

/**
 * When to read a stream again. Each read wakes the worker, and a stream has news with each packet: so bytes are let come
 * together, unless they come so fast that the browser would have no room for them. Pure: told the time, in ms.
 */
export class ReadPacing {
  #readMs: number;

  constructor(nowMs: number) {
    this.#readMs = nowMs;
  }

  /** What to wait for after a piece was read; null to go on at once. */
  wait(pieceBytes: number, remainingBytes: number, nowMs: number): Wait | null {
    const elapsedMs = nowMs - this.#readMs;
    this.#readMs = nowMs;
    if (remainingBytes === 0) {
      return null; // only the end is missing
    }
    const bytesPerMs = pieceBytes / elapsedMs;
    const isLast = remainingBytes <= PIECE_BYTES;
    const durationMs = Math.min(LONGEST_MS, (isLast ? remainingBytes : PIECE_BYTES) / bytesPerMs);
    return durationMs < SHORTEST_MS ? null : { durationMs, slackMs: isLast ? 0 : SLACK_MS };
  }
}
