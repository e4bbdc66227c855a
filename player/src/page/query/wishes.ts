/** How a viewer wants the film shown, whatever controls its congestion. Pure. */

import { numberIn } from "./query-values.ts";

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

export const OF_WISHES = ["quality_kbit", "captions", "sound", "loop"] as const;

const QUALITY_RANGE = [1, 1_000_000] as const;

/** Throws BadChoice. */
export function readWishes(query: URLSearchParams): Wishes {
  return {
    qualityKilobitsPerSecond: numberIn(query, "quality_kbit", QUALITY_RANGE),
    captions: query.get("captions"),
    sound: query.get("sound"),
    loops: query.get("loop") === "1",
  };
}

/** The query that gives these wishes again, beside whatever else it says. */
export function withWishes(query: URLSearchParams, wishes: Wishes): URLSearchParams {
  const next = new URLSearchParams(query);
  const values = [wishes.qualityKilobitsPerSecond, wishes.captions, wishes.sound, wishes.loops ? 1 : null];
  for (const [place, name] of OF_WISHES.entries()) {
    const value = values[place] ?? null;
    if (value === null) {
      next.delete(name);
    } else {
      next.set(name, String(value));
    }
  }
  return next;
}
