/**
 * CMCD's units and rounding. What is beyond a word's limits is told as the limit, such as a stall in which the computer slept for
 * days: the server refuses an event as a whole.
 */

import { HIGHEST_KBPS, LONGEST_MS } from "./vocabulary.ts";

/** kbit/s. */
export function kbps(bitsPerSecond: number): number {
  return within(Math.round(bitsPerSecond / 1000), HIGHEST_KBPS);
}

/** kbit/s, to the nearest 100, as CMCD wants throughputs. */
export function throughputKbps(bitsPerSecond: number): number {
  return within(Math.round(bitsPerSecond / 100_000) * 100, HIGHEST_KBPS);
}

/** ms, to the nearest 100, as CMCD wants buffer lengths. */
export function bufferMs(seconds: number): number {
  return within(Math.round(seconds * 10) * 100, LONGEST_MS);
}

/** ms of a place, which may be a time of the epoch. */
export function placeMs(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000));
}

/** How long something lasted, in whole ms. */
export function durationMs(ms: number): number {
  return within(Math.round(ms), LONGEST_MS);
}

/** ms with one digit behind the point. */
export function fineMs(seconds: number): number {
  return within(Math.round(seconds * 10_000) / 10, LONGEST_MS);
}

function within(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
