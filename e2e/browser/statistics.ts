/** Order statistics and means of plain number lists. An empty list has none: null. */

import { quantile } from "../../player/src/statistics/quantile.ts";

export { quantile };

export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

export function maximum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value));
}
