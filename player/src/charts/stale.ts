import type { Value } from "./table.ts";

/**
 * Parts a line in what was measured and what only stands since: `stale` says of each value whether it is the former one, not
 * measured anew. Both parts have the point at which one becomes the other.
 */
export function splitStale(
  values: readonly Value[],
  stale: readonly Value[],
): { readonly fresh: Value[]; readonly stale: Value[] } {
  const isStale = (place: number): boolean => place < values.length && stale[place] === 1;
  return {
    fresh: values.map((value, place) =>
      isStale(place) && (place + 1 >= values.length || isStale(place + 1)) ? null : value,
    ),
    stale: values.map((value, place) => (isStale(place) || isStale(place + 1) ? value : null)),
  };
}
