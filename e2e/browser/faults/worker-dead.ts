import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The receiver's worker ends without an error event, as one that the browser took away. */
export const workerDead: Fault = {
  name: "worker-dead",
  title: "receiver's worker dead",
  strike: async (_rig, { page }) => {
    for (const worker of page.workers()) await worker.evaluate("close()");
  },
  watchSeconds: 12,
  expected: GOES_ON,
};
