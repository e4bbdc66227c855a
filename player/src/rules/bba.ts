/**
 * BBA-0 (Huang et al., "A Buffer-Based Approach to Rate Adaptation", SIGCOMM 2014, section 4, algorithm 1): the buffer's
 * level alone says how much to ask for. Below a reservoir it is the lowest rung, above the cushion the highest, and
 * between them a straight line; a rung is left only where the line has passed its neighbour.
 *
 * The paper's reservoir is 90 s and its cushion 126 s of a buffer of 240 s. Here both are the same shares of what can be
 * buffered when a segment is asked for: of a shorter buffer than the paper's a segment is no small part.
 *
 * The reservoir holds a segment at least, and the cushion grows with it. One segment is what a stall leaves: above a
 * shorter reservoir, an empty buffer would read as a full one. Where a segment is longer than 5/17 of the buffer's target
 * (5.3 of 18 s), the line so ends above what can be buffered, and the top rung is out of reach. From a half on the lowest
 * is all there is. Of such films it is no fair baseline.
 *
 * Its later forms need what rules are not told: segments' sizes (BBA-1), and whether the film still begins (BBA-2).
 */

import type { Decision, OwnRule, RuleContext } from "./rule.ts";

const RESERVOIR_SHARE = 90 / 240;
const CUSHION_SHARE = 126 / 240;

export const bba = {
  name: "bba",
  title: "BBA",
  summary:
    "Maps the buffer's level to a bitrate, without any estimate (Huang et al., SIGCOMM 2014). Made for a buffer of many " +
    "segments: with long ones, or close to a live stream's edge, it stays low.",
  decide,
} as const satisfies OwnRule;

function decide(context: RuleContext): Decision {
  const { ladderBitsPerSecond: ladder, bufferSeconds, reachableBufferSeconds, segmentSeconds } = context;
  const lowest = ladder[0] ?? 0;
  const top = ladder.length - 1;
  const [reachableSeconds = 0] = reachableBufferSeconds; // below the top rung: the map leads there
  const mapSeconds = Math.max(reachableSeconds, segmentSeconds / RESERVOIR_SHARE);
  const reservoirSeconds = RESERVOIR_SHARE * mapSeconds;
  const cushionSeconds = CUSHION_SHARE * mapSeconds;
  const answer = (index: number, why: string): Decision => ({
    index,
    reason: { why, bufferSeconds, reservoirSeconds, cushionSeconds },
  });
  if (bufferSeconds <= reservoirSeconds) return answer(0, "reservoir");
  if (bufferSeconds >= reservoirSeconds + cushionSeconds) return answer(top, "above the cushion");
  const place = (bufferSeconds - reservoirSeconds) / cushionSeconds;
  const mappedBitsPerSecond = lowest + place * ((ladder[top] ?? lowest) - lowest);
  const current = context.currentIndex ?? 0;
  if (current < top && mappedBitsPerSecond >= (ladder[current + 1] ?? 0)) {
    return answer(
      ladder.findLastIndex((rung) => rung < mappedBitsPerSecond),
      "cushion",
    );
  }
  if (current > 0 && mappedBitsPerSecond <= (ladder[current - 1] ?? 0)) {
    return answer(
      ladder.findIndex((rung) => rung > mappedBitsPerSecond),
      "cushion",
    );
  }
  return answer(current, "stay");
}
