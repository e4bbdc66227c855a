/** Order statistics and means of plain number lists. An empty list has none: null. */

export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The `share`-quantile (0 to 1) by linear interpolation between closest ranks (type 7 of Hyndman and Fan, 1996). */
export function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}

export function maximum(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value));
}
