/**
 * What a player's need makes of a receiver's window and target delay. The twin of need.py, where the source (Sammy) and the
 * reasoning are; both are held to the same vectors.
 */

import { RATE_WINDOW_SECONDS } from "./bandwidth.ts";
import type { Need, Stamp } from "./receiver-scheme.ts";

const INITIAL_WINDOW_PACKETS = 10;
const LIFETIME_SECONDS = 2;
const SHORT_SHARE = 0.25;
const SHORT_GAIN = 3;
const FULL_GAIN = 1.5;
const ACK_RTT_SHARE = 1 / 4;
const FULL_TARGET_SHARE = 0.5;

/** Throws RangeError for what is negative or not finite, and for a rate or a full buffer of 0. */
export function requireNeed({ rateBytesPerSecond, bufferSeconds, fullBufferSeconds }: Need): void {
  const values = { rateBytesPerSecond, bufferSeconds, fullBufferSeconds };
  for (const [name, value] of Object.entries(values)) {
    const isBuffer = name === "bufferSeconds";
    if (value === null && name === "rateBytesPerSecond") continue;
    if (value === null || !Number.isFinite(value) || value < 0 || (value === 0 && !isBuffer)) {
      const kind = isBuffer ? "not negative" : "positive";
      throw new RangeError(`${name} of a need must be finite and ${kind}, not ${value}`);
    }
  }
}

/** The newest need, and what it comes to at a time. */
export class NeedWatch {
  #need: Need | null = null;
  #toldSeconds = 0;
  #heldUntilSeconds: number | null = null;

  /** Replaces the one before. */
  tell(need: Need, nowSeconds: number): void {
    this.#need = need;
    this.#toldSeconds = nowSeconds;
  }

  /** The rate that the window may carry; null: as much as there is. */
  boundBytesPerSecond(nowSeconds: number): number | null {
    const ease = this.#ease(nowSeconds);
    const rate = this.#need?.rateBytesPerSecond ?? null;
    return ease === null || rate === null ? null : (SHORT_GAIN + (FULL_GAIN - SHORT_GAIN) * ease) * rate;
  }

  /** What is left of the target delay, where the link has so much bandwidth. */
  targetShare(bandwidthBytesPerSecond: number | null, nowSeconds: number): number {
    const ease = this.#ease(nowSeconds);
    const bound = this.boundBytesPerSecond(nowSeconds);
    if (ease === null || bound === null || (bandwidthBytesPerSecond ?? 0) < bound) return 1;
    return 1 + (FULL_TARGET_SHARE - 1) * ease;
  }

  /** The window that carries the bound; at least an initial window, so that short round trips are no hindrance. */
  boundPackets(stamp: Stamp, mostQueueSeconds: number, nowSeconds: number): number | null {
    const rate = this.boundBytesPerSecond(nowSeconds);
    const { smoothedRttSeconds, minRttSeconds, maxDatagramBytes } = stamp;
    if (rate === null || smoothedRttSeconds === null || minRttSeconds === null) return null;
    const roundTripSeconds =
      Math.min(smoothedRttSeconds, minRttSeconds + mostQueueSeconds) + ACK_RTT_SHARE * minRttSeconds;
    return Math.max(INITIAL_WINDOW_PACKETS, (rate * roundTripSeconds) / maxDatagramBytes);
  }

  /** The window is at its bound: so are the rates of a round trip, and of the time over which they are taken. */
  hold({ smoothedRttSeconds }: Stamp, nowSeconds: number): void {
    this.#heldUntilSeconds = nowSeconds + RATE_WINDOW_SECONDS + (smoothedRttSeconds ?? 0);
  }

  /** Whether rates that are measured now may be the bound's. */
  isHeld(nowSeconds: number): boolean {
    return this.#heldUntilSeconds !== null && nowSeconds < this.#heldUntilSeconds;
  }

  /** From 0, the buffer is just not short, to 1, it is full; null where it is short or nobody tells. */
  #ease(nowSeconds: number): number | null {
    const need = this.#need;
    if (need === null || nowSeconds - this.#toldSeconds > LIFETIME_SECONDS) return null;
    const share = need.bufferSeconds / need.fullBufferSeconds;
    return share < SHORT_SHARE ? null : Math.min(1, (share - SHORT_SHARE) / (1 - SHORT_SHARE));
  }
}
