import { mean, quantile } from "../statistics.ts";
import { type Random, seededRandom } from "./random.ts";

const RESAMPLES = 10_000;
/** Every interval of a report comes from the same resamples, so that it is the same each time it is written. */
const SEED = 1;

/** A mean and its 95 % interval. */
export interface Estimate {
  mean: number;
  /** null with a single sample. */
  interval: { low: number; high: number } | null;
  samples: number;
}

/**
 * Mean of the samples with its percentile bootstrap interval (Efron and Tibshirani 1993, section 13.3). null without samples.
 */
export function bootstrapMean(
  samples: readonly number[],
  random: Random = seededRandom(SEED),
): Estimate | null {
  const centre = mean(samples);
  if (centre === null) return null;
  if (samples.length === 1) return { mean: centre, interval: null, samples: 1 };
  const means = Array.from({ length: RESAMPLES }, () => resampledMean(samples, random));
  const low = quantile(means, 0.025) as number;
  const high = quantile(means, 0.975) as number;
  return { mean: centre, interval: { low, high }, samples: samples.length };
}

/** How much larger each sample is than its partner, as a share of it; a pair that lacks one is left out. */
export function pairedRatios(
  samples: readonly (number | null)[],
  partners: readonly (number | null)[],
): number[] {
  if (samples.length !== partners.length) {
    throw new RangeError(`${samples.length} samples and ${partners.length} partners make no pairs`);
  }
  return samples.flatMap((sample, index) => {
    const partner = partners[index] ?? null;
    return sample === null || partner === null || partner === 0 ? [] : [sample / partner - 1];
  });
}

function resampledMean(samples: readonly number[], random: Random): number {
  let sum = 0;
  for (let drawn = 0; drawn < samples.length; drawn += 1) {
    sum += samples[Math.floor(random() * samples.length)] as number;
  }
  return sum / samples.length;
}
