import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

const STEP_SECONDS = [1, 3600] as const;

/** The receiver's clock jumps against the server's, either way, as after a sleep that only one of them lived through. */
export const clockStep: Fault = {
  name: "clock-step",
  title: "the receiver's clock jumps by up to an hour",
  strike: async ({ chance }, { page }) => {
    const stepMs = 1000 * chance.between(STEP_SECONDS) * (chance.happens(0.5) ? 1 : -1);
    const jump = `{ const now = performance.now.bind(performance); performance.now = () => now() + ${stepMs}; }`;
    for (const worker of page.workers()) await worker.evaluate(jump);
  },
  watchSeconds: 12,
  expected: { ...GOES_ON, httpSegments: "none" },
};
