import { LADDER, type Rung } from "../../../media/ladder.ts";

/** The usual rates but the highest, in smaller pictures: decoding them is half of what a browser does with 1080p. */
export const SMALL_PICTURES: readonly Rung[] = LADDER.slice(0, -1).map(({ videoBitsPerSecond }, index) => ({
  longSide: 416 + 32 * index,
  shortSide: 234 + 18 * index,
  videoBitsPerSecond,
}));
