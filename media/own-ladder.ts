import type { Rung } from "./ladder.ts";
import { MediaError } from "./media-error.ts";

const MOST_RUNGS = 12;
const SIDES_PIXELS = { min: 16, max: 8192 };
const RATES_BITS_PER_SECOND = { min: 20_000, max: 200_000_000 };
const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/**
 * A ladder from `640x360@800k,1280x720@2.5M`: lowest rate first, whatever the order.
 *
 * @param source where it stands, for the sentence
 * @throws MediaError naming the rung that cannot be
 */
export function parseLadder(text: string, source: string): readonly Rung[] {
  const rungs = text.split(",").map((rung) => parseRung(rung.trim(), source));
  if (rungs.length > MOST_RUNGS)
    throw new MediaError(`${source} has ${rungs.length} rungs: write at most ${MOST_RUNGS}`);
  rungs.sort((one, other) => one.videoBitsPerSecond - other.videoBitsPerSecond);
  const twice = rungs.find(
    ({ videoBitsPerSecond }, index) => rungs[index + 1]?.videoBitsPerSecond === videoBitsPerSecond,
  );
  if (twice !== undefined)
    throw new MediaError(
      `${source} has two rungs of ${twice.videoBitsPerSecond / 1000} kbit/s: give each its own rate`,
    );
  return rungs;
}

function parseRung(text: string, source: string): Rung {
  const match = /^(\d+)x(\d+)@(\d+(?:\.\d+)?)([km])$/i.exec(text);
  const [width = 0, height = 0, number = 0] = match?.slice(1, 4).map(Number) ?? [];
  const videoBitsPerSecond = Math.round(number * (UNITS[match?.[4]?.toLowerCase() ?? ""] ?? 0));
  const isWithin = (value: number, { min, max }: { min: number; max: number }) =>
    value >= min && value <= max;
  if (
    ![width, height].every((side) => isWithin(side, SIDES_PIXELS)) ||
    !isWithin(videoBitsPerSecond, RATES_BITS_PER_SECOND)
  ) {
    throw new MediaError(
      `${source} has the rung "${text}": write width, height and rate, as in 640x360@800k,1280x720@2.5M`,
    );
  }
  return { longSide: Math.max(width, height), shortSide: Math.min(width, height), videoBitsPerSecond };
}
