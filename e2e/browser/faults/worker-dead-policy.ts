import type { Fault } from "../fault-rig/fault.ts";
import { workerDead } from "./worker-dead.ts";

/** The worker in which a learned policy decides ends, as one whose model took all memory. */
export const workerDeadPolicy: Fault = {
  ...workerDead,
  name: "worker-dead-policy",
  title: "a learned policy's worker dead",
  isByCommand: true,
  query: { scheme: "nuwa-rl" },
};
