import type { Fault } from "../fault-rig/fault.ts";

const STEP_MS = 5_000;

/** The receiver's clock jumps ahead of the server's, as after a sleep that only one of them lived through. */
export const clockStep: Fault = {
  name: "clock-step",
  title: "the receiver's clock jumps by 5 s",
  strike: async (_rig, { page }) => {
    const jump = `{ const now = performance.now.bind(performance); performance.now = () => now() + ${STEP_MS}; }`;
    for (const worker of page.workers()) await worker.evaluate(jump);
  },
  watchSeconds: 12,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 3,
    endPath: "webtransport",
    httpSegments: "none",
    consoleProblems: [],
  },
};
