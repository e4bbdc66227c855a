import { PHASE, type Stamp } from "./receiver-scheme.ts";

/**
 * How often a receiver asks for its window, which each time wakes a sender (the twin of feedback_interval.py, which has
 * the reasons).
 */
const RTT_SHARE = 1 / 4;
const SHORTEST_SECONDS = 0.004;
const LONGEST_SECONDS = 0.012;

/** How long after a feedback the next one may follow, by the newest stamp. */
export function feedbackIntervalSeconds({
  phase,
  minRttSeconds,
}: Pick<Stamp, "phase" | "minRttSeconds">): number {
  if (phase === PHASE.slowStart || minRttSeconds === null) {
    return SHORTEST_SECONDS;
  }
  return Math.min(Math.max(RTT_SHARE * minRttSeconds, SHORTEST_SECONDS), LONGEST_SECONDS);
}
