import type { Value } from "./table.ts";

/**
 * Parts a line in what was measured and what was only held since: `held` says of each value whether it is the former one, not
 * measured anew. Both parts have the point at which one becomes the other.
 */
export function splitHeld(
  values: readonly Value[],
  held: readonly Value[],
): { readonly live: Value[]; readonly held: Value[] } {
  const isHeld = (place: number): boolean => place < values.length && held[place] === 1;
  return {
    live: values.map((value, place) =>
      isHeld(place) && (place + 1 >= values.length || isHeld(place + 1)) ? null : value,
    ),
    held: values.map((value, place) => (isHeld(place) || isHeld(place + 1) ? value : null)),
  };
}
