import type { Need } from "../../../cc/receiver/receiver-scheme.ts";
import type { NetworkEstimate } from "./network-estimate.ts";

/** A few times in the two seconds after which a receiver takes the player for gone. */
const TELL_EVERY_MS = 450;

/**
 * What listens to a session's estimates, and tells the receiver of the player's need whenever the session tells something,
 * but not more often than the receiver has to know. Nothing is told while `needOf` gives null.
 */
export function needTeller(
  needOf: () => Need | null,
  tell: (need: Need) => void,
): (newest: NetworkEstimate | null) => void {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return (newest) => {
    if (newest === null || Math.abs(newest.atMs - toldAtMs) < TELL_EVERY_MS) {
      return;
    }
    toldAtMs = newest.atMs;
    const need = needOf();
    if (need !== null) {
      tell(need);
    }
  };
}
