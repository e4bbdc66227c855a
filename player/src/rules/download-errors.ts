/**
 * How far a forecast of download times is off, as a distribution: the logarithm of the time that was forecast over the one
 * that it took, of the last downloads of this film, together with what is usual on a link that varies as this one does.
 * An error of the rate and one of the size are alike here. Pure.
 */

import { type BandwidthOutlook, predictedBitsPerSecond } from "./bandwidth-outlook.ts";
import type { PastDownload } from "./rule.ts";

export interface ErrorParameters {
  /** Over this time a link's rate forgets what it was. */
  readonly relaxationSeconds: number;
  /** Spread of log errors on a steady link, and more of it for each unit of the outlook's variation. */
  readonly steadySpread: number;
  readonly spreadPerVariation: number;
  /** Downloads that what is usual stands for. */
  readonly usualWeight: number;
}

/** A possible future of the rate: its logarithm over the forecast's, and how likely it is. */
export interface Scenario {
  readonly logError: number;
  readonly weight: number;
}

/** How much of a download's weight is left when another has come. */
const KEPT = 0.9;
/** The scenarios: these quantiles of the distribution, with these weights. */
const QUANTILES = [0.04, 0.2, 0.5, 0.8, 0.96] as const;
const WEIGHTS = [0.1, 0.2, 0.4, 0.2, 0.1] as const;
/** Of the standard normal distribution at 1/18, 3/18, ..., 17/18: nine values that stand for it. */
const NORMAL = [-1.593, -0.967, -0.589, -0.282, 0, 0.282, 0.589, 0.967, 1.593] as const;

/** Seconds to fetch `bits` from `aheadSeconds` on, as the rate relaxes underway, without a round trip. */
export function downloadSeconds(
  outlook: BandwidthOutlook,
  bits: number,
  aheadSeconds: number,
  relaxationSeconds: number,
): number {
  const atStart = predictedBitsPerSecond(outlook, aheadSeconds, relaxationSeconds);
  const midway = aheadSeconds + Math.min(10, bits / atStart) / 2;
  return bits / predictedBitsPerSecond(outlook, midway, relaxationSeconds);
}

/**
 * The time that was forecast over the time that it took, as a logarithm: below 0 for a slower link or a larger segment. That
 * nothing came for a while excuses what came late, and makes nothing early: bytes a second apart are all silence.
 */
export function logError(
  { expectedBits, seconds, silentSeconds, roundTripSeconds, outlook }: PastDownload,
  relaxationSeconds: number,
): number {
  const forecast = roundTripSeconds + downloadSeconds(outlook, expectedBits, 0, relaxationSeconds);
  const deliveringSeconds = Math.max(seconds - silentSeconds, Math.min(seconds, forecast));
  return Math.log(forecast / Math.max(1e-3, deliveringSeconds));
}

/** Five scenarios of the next download's rate. */
export function scenarios(
  outlook: BandwidthOutlook,
  past: readonly PastDownload[],
  parameters: ErrorParameters,
): readonly Scenario[] {
  const spread = parameters.steadySpread + parameters.spreadPerVariation * outlook.variation;
  const points = NORMAL.map((value) => ({
    value: spread * value,
    weight: parameters.usualWeight / NORMAL.length,
  }));
  past.forEach((download, index) => {
    const weight = KEPT ** (past.length - 1 - index);
    points.push({ value: logError(download, parameters.relaxationSeconds), weight });
  });
  points.sort((a, b) => a.value - b.value);
  const total = points.reduce((sum, { weight }) => sum + weight, 0);
  return QUANTILES.map((quantile, index) => ({
    logError: weightedQuantile(points, quantile * total),
    weight: WEIGHTS[index] ?? 0,
  }));
}

/** Of points in ascending order: between the middles of their weights it is a straight line. */
function weightedQuantile(points: readonly { value: number; weight: number }[], place: number): number {
  let before = 0;
  let lower: { at: number; value: number } | null = null;
  for (const { value, weight } of points) {
    const at = before + weight / 2;
    if (at >= place) {
      if (lower === null) return value;
      return lower.value + ((value - lower.value) * (place - lower.at)) / (at - lower.at);
    }
    lower = { at, value };
    before += weight;
  }
  return lower?.value ?? 0;
}
