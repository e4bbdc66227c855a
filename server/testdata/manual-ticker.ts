import { TICK_MS, type Ticker } from "../silence.ts";

/** For tests: time that passes when a test says so. */
export function manualTicker(): { ticker: Ticker; pass: (milliseconds: number) => void } {
  const callbacks = new Set<() => void>();
  const ticker: Ticker = (onTick) => {
    callbacks.add(onTick);
    return () => callbacks.delete(onTick);
  };
  const pass = (milliseconds: number) => {
    for (let passedMs = 0; passedMs < milliseconds; passedMs += TICK_MS) {
      for (const callback of callbacks) callback();
    }
  };
  return { ticker, pass };
}
