/** How the server's clock differs from this page's, as one request has it. */
export interface ServerClock {
  /** By how much the server's is ahead. */
  readonly aheadMs: number;
  /** To how much that is true: half the request's time. */
  readonly withinMs: number;
}

/**
 * The one to go by: the quickest so far, as a slow request may have spent its time all on one way; the later where both cannot be
 * true, as after a computer's sleep.
 */
export function truerClock(kept: ServerClock, seen: ServerClock): ServerClock {
  const isRefuted = Math.abs(seen.aheadMs - kept.aheadMs) > seen.withinMs + kept.withinMs;
  return isRefuted || seen.withinMs <= kept.withinMs ? seen : kept;
}
