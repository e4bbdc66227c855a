/** Why what is relative to the clocks must be forgotten. */
export type ClockFault =
  /** The wall clock moved against the monotonic one: it was set, or the machine slept, which stops the other. */
  | "step"
  /** The worker did not run: it was frozen, or its thread was kept busy. */
  | "gap";

/** Wall against monotonic clock, between two ticks; far beyond any slewing. */
export const STEP_MS = 250;
/** A tick so late is no jitter of timers. */
export const LATE_MS = 1000;

/** Compares two clocks and its own ticks. Pure: told the times, in ms. */
export class ClockFaultDetector {
  readonly #intervalMs: number;
  #last: { readonly monotonicMs: number; readonly wallMs: number } | null = null;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** What happened to the clocks since the tick before; null where nothing did. */
  tick(monotonicMs: number, wallMs: number): ClockFault | null {
    const last = this.#last;
    this.#last = { monotonicMs, wallMs };
    if (last === null) {
      return null;
    }
    const passedMs = monotonicMs - last.monotonicMs;
    if (Math.abs(wallMs - last.wallMs - passedMs) > STEP_MS) {
      return "step";
    }
    return passedMs - this.#intervalMs > LATE_MS ? "gap" : null;
  }
}
