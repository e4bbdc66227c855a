import type { MediaPlayerClass } from "dashjs";
import type { NuwaAttachment, NuwaOptions, PreparedNuwa } from "./nuwa-api.ts";
import { prepareSession, refuseTaken } from "./prepare-session.ts";

/**
 * Gives a dash.js player the receiver's transport, estimate and rule. Called before `initialize` or `attachSource`; a
 * source that is attached already is attached anew at the present place. Throws where the player has an attachment, and
 * where there is no such preset, rule or estimator, or the server's address is none; RangeError for numbers outside
 * their ranges, TypeError for what is no URL.
 */
export function attachNuwa(player: MediaPlayerClass, options: NuwaOptions): NuwaAttachment {
  refuseTaken(player);
  return prepareNuwa(options).attach(player);
}

/** Opens the session at once, for a player that is still on its way. */
export function prepareNuwa(options: NuwaOptions): PreparedNuwa {
  return prepareSession(options);
}
