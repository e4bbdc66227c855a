/**
 * Catching up with a link that has changed: moves of Nuwa's window that are in proportion to it. The twin of
 * catch_up.py, which says why; both are held to the same vectors.
 */

import { leastStandingDelaySeconds } from "./queueing-delay.ts";
import type { Stamp } from "./receiver-scheme.ts";

const LASTING_RTT_SHARE = 1 / 4;
const FALL_SHARE = 0.5;
const EMPTY_TARGET_SHARE = 0.5;

type Queue = "empty" | "moderate" | "above";

/** Watches for how long the queue has been empty or above its target. */
export class CatchUp {
  #queue: Queue = "moderate";
  #sinceSeconds = 0;
  #hasLasted = false;
  #mostShare = 0;

  /** What comes next has nothing to do with what was. */
  forget(): void {
    this.#queue = "moderate";
    this.#hasLasted = false;
  }

  /** Takes the queueing delay, and what it should be, after each stamp. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, delaySeconds: number, targetSeconds: number): void {
    const { minRttSeconds } = stamp;
    if (minRttSeconds !== null) this.#mostShare = Math.min(1, targetSeconds / minRttSeconds);
    const queue = queueOf(stamp, delaySeconds, targetSeconds);
    const roundTripSeconds = (minRttSeconds ?? 0) + delaySeconds;
    if (queue !== this.#queue) {
      this.#queue = queue;
      this.#sinceSeconds = receivedTimeSeconds;
      this.#hasLasted = false;
    } else if (receivedTimeSeconds - this.#sinceSeconds >= LASTING_RTT_SHARE * roundTripSeconds) {
      this.#hasLasted = true;
    }
  }

  /** How much of itself the window moves in a round trip, where equation 5 has `theta`; 0 where eq. 6 suffices. */
  share(theta: number): number {
    if (!this.#hasLasted || this.#queue === "moderate") return 0;
    return this.#mostShare * (this.#queue === "empty" ? 1 : FALL_SHARE * theta);
  }
}

function queueOf({ minRttSeconds, isAppLimited }: Stamp, delaySeconds: number, targetSeconds: number): Queue {
  if (minRttSeconds === null) return "moderate";
  if (delaySeconds > targetSeconds) return "above";
  const noneBelowSeconds = Math.min(
    leastStandingDelaySeconds(minRttSeconds),
    EMPTY_TARGET_SHARE * targetSeconds,
  );
  return !isAppLimited && delaySeconds < noneBelowSeconds ? "empty" : "moderate";
}
