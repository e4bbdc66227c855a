/**
 * By which a proxy says that nobody is behind it (502, 504), and a server that it has no room now (429, 503): as where nobody
 * answered, another attempt may fare better (RFC 9110 section 15.6, RFC 6585 section 4).
 */
const STATUSES: readonly number[] = [429, 502, 503, 504];

/** Whoever waits has a film that plays on. */
const LONGEST_WAIT_MS = 10_000;

/** In an answer's place is none. */
export class Unanswered {
  /** How long to wait at least, where it was said. */
  readonly afterMs: number;

  constructor(afterMs = 0) {
    this.afterMs = afterMs;
  }
}

/**
 * null for an answer of whoever was asked.
 *
 * @param status 0 where the network let the request down
 */
export function unansweredBy(status: number, retryAfter: string | null | undefined): Unanswered | null {
  if (status !== 0 && !STATUSES.includes(status)) {
    return null;
  }
  return new Unanswered(Math.min(retryAfterMs(retryAfter), LONGEST_WAIT_MS));
}

/** Of a header Retry-After; 0 where it is not there, or is a date, which no server of ours gives. */
export function retryAfterMs(header: string | null | undefined): number {
  const seconds = Number(header);
  return seconds > 0 && Number.isFinite(seconds) ? 1000 * seconds : 0;
}
