/** How a viewer wants the film shown, whatever controls its congestion. Pure. */

import { PARAMETERS, withValues } from "./parameters.ts";
import { flagIn, numberIn } from "./query-values.ts";

export interface Wishes {
  /** The rung nearest to it is held; null leaves it to the rule. */
  readonly qualityKilobitsPerSecond: number | null;
  /** Key of dash/film-tracks.ts; null for none. */
  readonly captions: string | null;
  /** The same; null leaves it to the player. */
  readonly sound: string | null;
  readonly loops: boolean;
}

export const NO_WISHES: Wishes = {
  qualityKilobitsPerSecond: null,
  captions: null,
  sound: null,
  loops: false,
};

/** Throws BadChoice. */
export function readWishes(query: URLSearchParams): Wishes {
  return {
    qualityKilobitsPerSecond: numberIn(query, "quality_kbit", PARAMETERS.quality_kbit.values),
    captions: query.get("captions"),
    sound: query.get("sound"),
    loops: flagIn(query, "loop"),
  };
}

/** The query that gives these wishes again, beside whatever else it says. */
export function withWishes(query: URLSearchParams, wishes: Wishes): URLSearchParams {
  return withValues(query, {
    quality_kbit: wishes.qualityKilobitsPerSecond,
    captions: wishes.captions,
    sound: wishes.sound,
    loop: wishes.loops ? 1 : null,
  });
}
