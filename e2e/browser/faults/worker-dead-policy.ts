import type { Fault } from "../fault-rig/fault.ts";

/** The worker in which a learned policy decides ends, as one whose model took all memory. */
export const workerDeadPolicy: Fault = {
  name: "worker-dead-policy",
  title: "a learned policy's worker dead",
  isByCommand: true,
  query: { scheme: "nuwa-rl" },
  strike: async (_rig, { page }) => {
    for (const worker of page.workers()) await worker.evaluate("close()");
  },
  watchSeconds: 12,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 3,
    endPath: "webtransport",
    consoleProblems: [],
  },
};
