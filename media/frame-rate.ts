/** Frames per second as ffmpeg wants it: NTSC rates are not decimals. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

export interface ProbedRate {
  readonly frameRate: FrameRate;
  /** Whether it is the one that ffmpeg prints, whole or NTSC's, or a half or a quarter of that. */
  readonly isOrdinary: boolean;
}

const FALLBACK_FRAMES_PER_SECOND = 25;
const HIGHEST_FRAMES_PER_SECOND = 60; // faster films are thinned: browsers show no more, and each frame costs time
const NTSC_TOLERANCE = 0.01; // ffmpeg prints 24000/1001 as 23.98
const ROUNDING_SHARE = 0.01; // an average over a few seconds
const SAME_SHARE = 0.001; // printed with two decimals
/** "90k tbr" and "1k tbr" are clocks of containers, not rates of films. */
const HIGHEST_RATE = 240;
/** A film of one of these on average has it, however its pictures are timed. */
const FILM_RATES = [24, 25, 30, 48, 50, 60];
/** What cameras and screens aim at, and may fall behind. */
const USUAL_RATES = [10, 12, 15, ...FILM_RATES];

/**
 * The rate in a stream's line: of a film whose rate varies the one that it has at its fastest (`tbr`), not the average
 * (`fps`), with which most of what moves would be left out.
 */
export function parseFrameRate(line: string): ProbedRate {
  const average = printedRate(line, "fps");
  const base = printedRate(line, "tbr");
  const printed = average ?? base ?? FALLBACK_FRAMES_PER_SECOND;
  const aimed = average === undefined || base === undefined ? printed : aimedRate(average, base);
  const divisor = Math.ceil(aimed / HIGHEST_FRAMES_PER_SECOND - SAME_SHARE);
  const frameRate = fractionOf(aimed < 1 ? aimed * Math.ceil(1 / aimed) : aimed / divisor);
  const { numerator, denominator } = frameRate;
  const isAsPrinted = isNear((numerator / denominator) * divisor, printed, ROUNDING_SHARE);
  const isOrdinary = isAsPrinted && [1, 1001].includes(denominator) && [1, 2, 4].includes(divisor);
  return { frameRate, isOrdinary };
}

function printedRate(line: string, unit: "fps" | "tbr"): number | undefined {
  const [, number, kilo] = new RegExp(`([\\d.]+)(k?) ${unit}`).exec(line) ?? [];
  const rate = Number(number) * (kilo === "k" ? 1000 : 1);
  return rate > 0 ? rate : undefined;
}

function aimedRate(average: number, base: number): number {
  const isOfFields = isNear(base, 2 * average, SAME_SHARE);
  const isFilms = FILM_RATES.some((rate) =>
    [rate, (rate * 1000) / 1001].some((exact) => isNear(average, exact, SAME_SHARE)),
  );
  if (isFilms || isOfFields || base <= average * (1 + SAME_SHARE)) return average;
  if (base <= HIGHEST_RATE) return base;
  return USUAL_RATES.find((rate) => average <= rate * (1 + ROUNDING_SHARE)) ?? average;
}

/** Whole, NTSC's, in halves or quarters, or else in thousandths. */
function fractionOf(framesPerSecond: number): FrameRate {
  const rounded = Math.round(framesPerSecond);
  const ntsc = (rounded * 1000) / 1001;
  const isNtsc =
    rounded % 6 === 0 && rounded !== framesPerSecond && Math.abs(ntsc - framesPerSecond) < NTSC_TOLERANCE;
  if (isNtsc) return { numerator: rounded * 1000, denominator: 1001 };
  for (const denominator of [1, 2, 4]) {
    const numerator = Math.round(framesPerSecond * denominator);
    if (isNear(numerator / denominator, framesPerSecond, ROUNDING_SHARE / denominator))
      return { numerator, denominator };
  }
  return { numerator: Math.round(framesPerSecond * 1000), denominator: 1000 };
}

function isNear(value: number, other: number, share: number): boolean {
  return Math.abs(value - other) <= share * other;
}
