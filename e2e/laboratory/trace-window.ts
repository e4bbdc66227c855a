/** A stretch of a trace that repeats, cut out for one run. Times are whole milliseconds, as mahimahi's. */

/** Fraction by which each seed's start lies behind the one before; evenly spread however many there are (golden ratio). */
const START_STEP = (Math.sqrt(5) - 1) / 2;

/** The opportunities of a trace in mahimahi's format. */
export function parseOpportunities(trace: string): number[] {
  return trace
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
}

/** Where in a trace of this period the run with this seed begins; the first seed begins where the trace does. */
export function startOfSeed(seed: number, periodMs: number): number {
  return Math.floor((((seed - 1) * START_STEP) % 1) * periodMs);
}

export interface TraceWindow {
  /** In the trace, which repeats both ways for ever. */
  fromMs: number;
  lengthMs: number;
}

/**
 * The opportunities of a window, as a trace that begins with it. An opportunity at the window's very beginning is left out, as at
 * the beginning of a trace nothing can have arrived in time for it. One more lies behind the end.
 */
export function cutWindow(opportunitiesMs: readonly number[], { fromMs, lengthMs }: TraceWindow): number[] {
  const periodMs = opportunitiesMs.at(-1);
  if (periodMs === undefined || periodMs <= 0) throw new RangeError("a trace must last longer than 0 ms");
  const window: number[] = [];
  let cycleMs = Math.floor(fromMs / periodMs) * periodMs;
  for (; cycleMs < fromMs + lengthMs; cycleMs += periodMs) {
    for (const opportunityMs of opportunitiesMs) {
      const atMs = cycleMs + opportunityMs - fromMs;
      if (atMs > 0 && atMs <= lengthMs) window.push(atMs);
    }
  }
  window.push(lengthMs + 1); // or silence at the end would be none: a trace repeats after its last opportunity
  return window;
}

export function formatOpportunities(opportunitiesMs: readonly number[]): string {
  return `${opportunitiesMs.join("\n")}\n`;
}
