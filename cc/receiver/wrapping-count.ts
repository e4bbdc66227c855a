/** Counts that the wire has in 32 bits: of stamps, feedbacks and packets. The twin of cc/core/wrapping_count.py. */

export const COUNT_MODULUS = 2 ** 32;

/** How far a count has gone on. */
export function countedSince(count: number, before: number): number {
  const ahead = (count - before) % COUNT_MODULUS;
  return ahead < 0 ? ahead + COUNT_MODULUS : ahead;
}

/** Whether it was counted after the other: more than half of all numbers ahead means behind (RFC 1982). */
export function isLater(sequence: number, than: number): boolean {
  const ahead = countedSince(sequence, than);
  return ahead > 0 && ahead < COUNT_MODULUS / 2;
}
