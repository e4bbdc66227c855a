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

  /**
   * Whether what is relative to the clocks must be forgotten. The wall clock may have moved against the monotonic one: it was
   * set, or the machine slept, which stops the other. Or the worker did not run: it was frozen, or its thread kept busy.
   */
  isFault(monotonicMs: number, wallMs: number): boolean {
    const last = this.#last;
    this.#last = { monotonicMs, wallMs };
    if (last === null) {
      return false;
    }
    const passedMs = monotonicMs - last.monotonicMs;
    return Math.abs(wallMs - last.wallMs - passedMs) > STEP_MS || passedMs - this.#intervalMs > LATE_MS;
  }
}
