/** How often silence is measured; without a beat for 1.5 s a service counts as silent, for 5 s as dead. */
export const TICK_MS = 250;
const SILENT_AFTER_MS = 1_500;
const DEAD_AFTER_MS = 5_000;

/** Calls back every TICK_MS until it is cancelled. */
export type Ticker = (onTick: () => void) => () => void;

export const systemTicker: Ticker = (onTick) => {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
};

/**
 * How long nothing has been heard of a service. Counted in ticks, not by a clock: a web server that stood still itself
 * (a suspended machine, a stopped process) finds many beats in the pipe afterwards, and no reason to end anybody.
 */
export class Silence {
  #silentMs = 0;

  /** A sign of life. */
  end(): void {
    this.#silentMs = 0;
  }

  tick(): void {
    this.#silentMs += TICK_MS;
  }

  get isLong(): boolean {
    return this.#silentMs > SILENT_AFTER_MS;
  }

  get isDeadly(): boolean {
    return this.#silentMs > DEAD_AFTER_MS;
  }
}
