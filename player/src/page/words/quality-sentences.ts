/** What is on the screen, and why not more is asked for. Pure. */

import { nearestRung, type Rung } from "../../dash/film-quality.ts";
import type { DecisionRecord } from "../../dash/play-log.ts";
import type { ShownVideo } from "../../downloads/session-moment.ts";
import { deciderTitle, reasonNumbers } from "./sentences.ts";
import { megabits, seconds } from "./units.ts";

/** "720p, 2.8 Mbit/s". */
export function rungTitle({ heightPixels, bitsPerSecond }: Rung): string {
  const bitrate = megabits(bitsPerSecond, bitsPerSecond < 1e6 ? 2 : 1);
  return heightPixels > 0 ? `${heightPixels}p, ${bitrate}` : bitrate;
}

/** Size and dropped frames; null before the first frame. */
export function shownSentence(shown: ShownVideo | null, bitsPerSecond: number | null): string | null {
  if (shown === null || shown.widthPixels === 0 || bitsPerSecond === null) {
    return null;
  }
  const { widthPixels, heightPixels, frames, droppedFrames } = shown;
  const dropped = `${droppedFrames} of ${frames.toLocaleString("en")} frames dropped`;
  return `On screen: ${widthPixels} × ${heightPixels}, ${megabits(bitsPerSecond, 2)}, ${dropped}.`;
}

export interface Asked {
  /** Ascending. */
  readonly rungs: readonly Rung[];
  /** Held by the viewer; null where the rule chooses. */
  readonly heldBitsPerSecond: number | null;
  /** Of the last segment asked for. */
  readonly askedBitsPerSecond: number | null;
  readonly shownBitsPerSecond: number | null;
  readonly bufferSeconds: number;
  /** What the rule decided last. */
  readonly decision: DecisionRecord | null;
}

/** Why not more is asked for; null where nothing is asked for yet. */
export function whyNotMore(asked: Asked): string | null {
  const { rungs, heldBitsPerSecond, askedBitsPerSecond, shownBitsPerSecond, bufferSeconds, decision } = asked;
  if (askedBitsPerSecond === null || rungs.length === 0) {
    return null;
  }
  if (heldBitsPerSecond !== null) {
    const held = nearestRung(rungs, heldBitsPerSecond);
    const isShown = held?.bitsPerSecond === shownBitsPerSecond;
    const wait = isShown ? "" : `, on screen once ${seconds(bufferSeconds, 0)} of buffer are played`;
    return held === null ? null : `You hold ${rungTitle(held)}${wait}; no rule chooses.`;
  }
  const next = rungs.find(({ bitsPerSecond }) => bitsPerSecond > askedBitsPerSecond);
  if (rungs.length === 1) {
    return "There is one quality only.";
  }
  if (next === undefined) {
    const best = nearestRung(rungs, askedBitsPerSecond);
    return best === null ? null : `Asked for: ${rungTitle(best)}, the best there is.`;
  }
  if (decision === null) {
    return `Not ${rungTitle(next)} yet: nothing was measured.`;
  }
  const numbers = reasonNumbers(decision.reason);
  const sees = numbers === "" ? "chooses less" : `goes by ${numbers}`;
  return `Not ${rungTitle(next)}: ${deciderTitle(decision.decidedBy)} ${sees}.`;
}
