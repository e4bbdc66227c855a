/**
 * The worth of each rung for the next segment, by dynamic programming over the buffer: in every scenario of the rate the
 * plan after it may change rung as it likes. Pure: seconds, bits; worth is in units of quality.
 */

export interface PlanInput {
  /** By step and rung. */
  readonly quality: readonly (readonly number[])[];
  /** Seconds to fetch a segment: by scenario, step and rung. */
  readonly downloadSeconds: readonly (readonly (readonly number[])[])[];
  readonly scenarioWeights: readonly number[];
  readonly segmentSeconds: number;
  readonly bufferSeconds: number;
  /** As RuleContext has it. */
  readonly reachableBufferSeconds: readonly number[];
  /** Of the segment before; null for the first. */
  readonly previousQuality: number | null;
  readonly stallCostPerSecond: number;
  /** Of a unit of quality that a segment has more than the one before it, and less. */
  readonly riseCost: number;
  readonly fallCost: number;
  readonly reserveSeconds: number;
  /** Of a second without any of the reserve, and of its square where some is left, when a segment has come. */
  readonly reserveCostPerSecond: number;
  /** Worth of what is buffered when the plan ends. */
  readonly endWorth: (bufferSeconds: number) => number;
}

export interface PlannedRung {
  readonly worth: number;
  /** Mean over the scenarios, of the next segment alone. */
  readonly stallSeconds: number;
  readonly bufferAfterSeconds: number;
}

const BINS = 64;

/** For each rung: fetched now, and the best that can follow. */
export function planRungs(input: PlanInput): readonly PlannedRung[] {
  const { quality, downloadSeconds, scenarioWeights, bufferSeconds, segmentSeconds } = input;
  const highest = Math.max(segmentSeconds, ...input.reachableBufferSeconds);
  const [first = []] = quality;
  const rungs = first.length;
  const planned = first.map(() => ({ worth: 0, stallSeconds: 0, bufferAfterSeconds: 0 }));
  downloadSeconds.forEach((steps, scenario) => {
    const weight = scenarioWeights[scenario] ?? 0;
    const after = laterWorth(input, steps, highest);
    for (let rung = 0; rung < rungs; rung++) {
      const download = steps[0]?.[rung] ?? 0;
      const asked = bufferWhenAsked(input, rung, bufferSeconds);
      const stall = Math.max(0, download - asked);
      const left = bufferAfter(input, rung, asked, download);
      const own = first[rung] ?? 0;
      const change = input.previousQuality === null ? 0 : changeCost(input, input.previousQuality, own);
      const worth =
        own -
        change -
        input.stallCostPerSecond * stall -
        reserveCost(input, asked, download) +
        interpolated(after, rung, left / highest);
      const sum = planned[rung];
      if (sum === undefined) continue;
      sum.worth += weight * worth;
      sum.stallSeconds += weight * stall;
      sum.bufferAfterSeconds += weight * left;
    }
  });
  return planned;
}

/** Worth of all steps but the first, by rung fetched first and by the buffer that it leaves: a row of BINS + 1 each. */
function laterWorth(input: PlanInput, steps: readonly (readonly number[])[], highest: number): Float64Array {
  const { quality } = input;
  const rungs = quality[0]?.length ?? 0;
  const row = BINS + 1;
  let later = new Float64Array(rungs * row);
  for (let bin = 0; bin < row; bin++) {
    const worth = input.endWorth((bin * highest) / BINS);
    for (let rung = 0; rung < rungs; rung++) later[rung * row + bin] = worth;
  }
  const fetched = new Float64Array(rungs * row);
  for (let step = steps.length - 1; step > 0; step--) {
    const [before = [], now = []] = [quality[step - 1], quality[step]];
    for (let rung = 0; rung < rungs; rung++) {
      const download = steps[step]?.[rung] ?? 0;
      const own = now[rung] ?? 0;
      for (let bin = 0; bin < row; bin++) {
        const buffer = bufferWhenAsked(input, rung, (bin * highest) / BINS);
        fetched[rung * row + bin] =
          own -
          input.stallCostPerSecond * Math.max(0, download - buffer) -
          reserveCost(input, buffer, download) +
          interpolated(later, rung, bufferAfter(input, rung, buffer, download) / highest);
      }
    }
    const worth = new Float64Array(rungs * row);
    for (let previous = 0; previous < rungs; previous++) {
      const from = before[previous] ?? 0;
      for (let bin = 0; bin < row; bin++) {
        let best = Number.NEGATIVE_INFINITY;
        for (let rung = 0; rung < rungs; rung++) {
          const change = changeCost(input, from, now[rung] ?? 0);
          best = Math.max(best, (fetched[rung * row + bin] ?? 0) - change);
        }
        worth[previous * row + bin] = best;
      }
    }
    later = worth;
  }
  return later;
}

function changeCost({ riseCost, fallCost }: PlanInput, from: number, to: number): number {
  return to > from ? riseCost * (to - from) : fallCost * (from - to);
}

/** Fetching waits until there is room for a segment of the rung; what is above that by then is played. */
function bufferWhenAsked({ reachableBufferSeconds }: PlanInput, rung: number, buffer: number): number {
  return Math.min(reachableBufferSeconds[rung] ?? buffer, buffer);
}

/** When there is room for another segment of the rung. */
function bufferAfter(input: PlanInput, rung: number, asked: number, download: number): number {
  return bufferWhenAsked(input, rung, Math.max(0, asked - download) + input.segmentSeconds);
}

function reserveCost(
  { reserveSeconds, reserveCostPerSecond }: PlanInput,
  buffer: number,
  download: number,
): number {
  const shortfall = reserveSeconds - Math.max(0, buffer - download);
  return shortfall <= 0 ? 0 : (reserveCostPerSecond * shortfall * shortfall) / reserveSeconds;
}

function interpolated(table: Float64Array, rung: number, share: number): number {
  const place = Math.min(1, Math.max(0, share)) * BINS;
  const bin = Math.min(BINS - 1, Math.floor(place));
  const at = rung * (BINS + 1) + bin;
  const low = table[at] ?? 0;
  return low + ((table[at + 1] ?? 0) - low) * (place - bin);
}
