const DAY_MS = 86_400_000;

/** A clock that is further ahead is wrong, and one that lies would have its events stand before everybody's, or behind. */
const MOST_AHEAD_MS = DAY_MS;

/** Browsers keep what they could not send. */
export const MOST_BEHIND_MS = 31 * DAY_MS;

/** What is wrong with a time at which an event is said to have happened; null: nothing. */
export function eventTimeProblem(tsMs: number, nowMs: number): string | null {
  const aheadMs = tsMs - nowMs;
  if (aheadMs <= MOST_AHEAD_MS && aheadMs >= -MOST_BEHIND_MS) return null;
  const days = Math.round(Math.abs(aheadMs) / DAY_MS);
  return aheadMs > 0
    ? `ts is ${days} days ahead of this server's clock: ${MOST_AHEAD_MS / DAY_MS} is the most`
    : `ts is ${days} days behind this server's clock: ${MOST_BEHIND_MS / DAY_MS} are the most`;
}
