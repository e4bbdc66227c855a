/** Bisections of an angle between 0 and a right one: the last halves it below what a double tells apart. */
const BISECTIONS = 60;

/**
 * The t beyond which, on both sides together, Student's distribution has the rest of the confidence: 12.706 for 0.95 and one degree
 * of freedom. Its inverse has no closed form; the probability within t has, for whole degrees (Abramowitz and Stegun, 26.7.3, 26.7.4).
 */
export function studentT(confidence: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1) throw new RangeError(`${degrees} degrees of freedom`);
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`a confidence of ${confidence}`);
  let [low, high] = [0, Math.PI / 2];
  for (let round = 0; round < BISECTIONS; round += 1) {
    const middle = (low + high) / 2;
    if (probabilityWithin(middle, degrees) < confidence) low = middle;
    else high = middle;
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2);
}

/** @param angle arctan(t / sqrt(degrees)) */
function probabilityWithin(angle: number, degrees: number): number {
  const isOdd = degrees % 2 === 1;
  const squared = Math.cos(angle) ** 2;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power < degrees - 1; power += 2) {
    term *= (squared * (power - 1)) / power;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}
