import { mean } from "../browser/statistics.ts";
import { studentT } from "./student-t.ts";

const CONFIDENCE = 0.95;

/** A mean and its 95 % interval. */
export interface Estimate {
  mean: number;
  /** null with a single sample. */
  interval: { low: number; high: number } | null;
  samples: number;
}

/** What a quantity can be at all; an interval ends there. */
export interface Bounds {
  least?: number;
  most?: number;
}

/**
 * Mean of the samples with Student's t interval; null without samples. Bootstraps of so few are too narrow: the percentile one lacks
 * both t's quantile and the factor n / (n - 1) of the variance (the "narrowness bias" of Hesterberg 2015, "What Teachers Should
 * Know About the Bootstrap"), and BCa, which mends skewness, does not mend that (Owen 2025, "Better bootstrap t confidence
 * intervals for the mean").
 */
export function estimateMean(samples: readonly number[], bounds: Bounds = {}): Estimate | null {
  const centre = mean(samples);
  if (centre === null) return null;
  const count = samples.length;
  if (count === 1) return { mean: centre, interval: null, samples: 1 };
  const variance = samples.reduce((sum, sample) => sum + (sample - centre) ** 2, 0) / (count - 1);
  const reach = studentT(CONFIDENCE, count - 1) * Math.sqrt(variance / count);
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = bounds;
  const interval = { low: Math.max(least, centre - reach), high: Math.min(most, centre + reach) };
  return { mean: centre, interval, samples: count };
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
