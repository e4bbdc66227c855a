/** A smaller difference misleads nobody, and the request's own time is part of what is seen. */
const LEAST_MS = 3_600_000;
const ANSWER_MS = 5000;

/**
 * By how much the server's clock is ahead of this computer's, ms, where one of them is wrong: the server takes no event of
 * another day. 0 where they agree, or nobody tells.
 */
export async function serverAheadMs(ask: typeof fetch, nowMs: () => number): Promise<number> {
  try {
    const answer = await ask("/api/time", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    const aheadMs = Date.parse(await answer.text()) - nowMs();
    return Math.abs(aheadMs) < LEAST_MS ? 0 : aheadMs || 0; // what is no time is NaN
  } catch {
    return 0; // the server is away, as it may be at any time
  }
}
