import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The transport is asked to end, and may tell its sessions. */
export const transportEnded: Fault = {
  name: "transport-ended",
  title: "transport ended by SIGTERM, and started again",
  isByCommand: true,
  strike: ({ product }) => product.endTransport(),
  watchSeconds: 12,
  expected: { ...GOES_ON, consoleProblems: [FAILED_SESSION] },
};
