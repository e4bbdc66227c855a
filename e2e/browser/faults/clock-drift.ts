import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";

/** Parts per million; quartz is off by 20 to 100. */
const DRIFT_PPM = 500;

/** The receiver's clock runs too fast or too slow against the server's: queueing seems to grow or to vanish. */
export const clockDrift: Fault = {
  name: "clock-drift",
  title: "the receiver's clock is off by 500 ppm",
  isByCommand: true,
  strike: async ({ chance }, { page }) => {
    const rate = 1 + (DRIFT_PPM / 1e6) * (chance.happens(0.5) ? 1 : -1);
    const drift = `{
      const now = performance.now.bind(performance);
      const sinceMs = now();
      performance.now = () => sinceMs + (now() - sinceMs) * ${rate};
    }`;
    for (const worker of page.workers()) await worker.evaluate(drift);
  },
  watchSeconds: 15,
  expected: UNTOUCHED,
};
