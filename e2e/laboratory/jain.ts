/**
 * Jain's index of fairness (Jain, Chiu, Hawe 1984): (sum x)^2 / (n * sum x^2). 1 where all get the same, 1/n where one gets all.
 * null where nobody gets anything.
 */
export function jainIndex(shares: readonly number[]): number | null {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? null : (sum * sum) / (shares.length * squares);
}
