/**
 * The one definition of a quantile in TypeScript: linear interpolation between closest ranks, type 7 of Hyndman and Fan
 * (1996), as numpy has it. Python's is the nearest value (cc/core/quantile.py): no figure of one is compared with one of
 * the other.
 *
 * @param share 0 to 1
 * @returns null of no values
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other); // toSorted is younger than browsers with WebTransport
  return quantileOfRanks(sorted.length, share, (rank) => sorted[rank] ?? Number.NaN);
}

/** The same where values are kept in another form: `valueAt` gives the one of each rank, from 0, in ascending order. */
export function quantileOfRanks(
  count: number,
  share: number,
  valueAt: (rank: number) => number,
): number | null {
  if (count === 0) {
    return null;
  }
  const position = (count - 1) * share;
  const below = valueAt(Math.floor(position));
  return below + (valueAt(Math.ceil(position)) - below) * (position - Math.floor(position));
}
