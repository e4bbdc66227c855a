/**
 * Catching up with a link that has changed: moves of Nuwa's window that are in proportion to it. The twin of
 * catch_up.py, which says why; both are held to the same vectors.
 */

import { leastStandingDelaySeconds } from "./queueing-delay.ts";
import type { Stamp } from "./receiver-scheme.ts";

const LASTING_RTT_SHARE = 1 / 4;
const FALL_SHARE = 0.5;

type Queue = "empty" | "moderate" | "above its target";

/** Watches for how long the queue has been empty or above its target. */
export class CatchUp {
  #queue: Queue = "moderate";
  #sinceSeconds = 0;
  #hasLasted = false;

  /** What comes next has nothing to do with what was. */
  forget(): void {
    this.#queue = "moderate";
    this.#hasLasted = false;
  }

  /** Takes the queueing delay, and what it should be, after each stamp. */
  onStamp(stamp: Stamp, receivedTimeSeconds: number, delaySeconds: number, targetSeconds: number): void {
    const queue = queueOf(stamp, delaySeconds, targetSeconds);
    const roundTripSeconds = (stamp.minRttSeconds ?? 0) + delaySeconds;
    if (queue !== this.#queue) {
      this.#queue = queue;
      this.#sinceSeconds = receivedTimeSeconds;
      this.#hasLasted = false;
    } else if (receivedTimeSeconds - this.#sinceSeconds >= LASTING_RTT_SHARE * roundTripSeconds) {
      this.#hasLasted = true;
    }
  }

  /** How far the window moves in a round trip, where equations 5 and 6 have `theta` and `stepPackets`. */
  stepPackets(stepPackets: number, theta: number, windowPackets: number): number {
    if (!this.#hasLasted) return stepPackets;
    if (this.#queue === "empty") return Math.max(stepPackets, windowPackets);
    if (this.#queue === "above its target") return Math.min(stepPackets, theta * FALL_SHARE * windowPackets);
    return stepPackets;
  }
}

function queueOf(stamp: Stamp, delaySeconds: number, targetSeconds: number): Queue {
  if (delaySeconds > targetSeconds) return "above its target";
  const { minRttSeconds, isAppLimited } = stamp;
  if (minRttSeconds === null || isAppLimited || delaySeconds >= leastStandingDelaySeconds(minRttSeconds)) {
    return "moderate";
  }
  return "empty";
}
