/** CMCD's units and rounding. */

/** kbit/s. */
export function kbps(bitsPerSecond: number): number {
  return Math.round(bitsPerSecond / 1000);
}

/** kbit/s, to the nearest 100, as CMCD wants throughputs. */
export function throughputKbps(bitsPerSecond: number): number {
  return Math.round(bitsPerSecond / 100_000) * 100;
}

/** ms, to the nearest 100, as CMCD wants buffer lengths. */
export function bufferMs(seconds: number): number {
  return Math.round(seconds * 10) * 100;
}

export function wholeMs(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000));
}

/** ms with one digit behind the point. */
export function fineMs(seconds: number): number {
  return Math.max(0, Math.round(seconds * 10_000) / 10);
}
