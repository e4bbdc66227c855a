import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The transport's port stays open and its socket takes what comes; nobody answers. */
export const transportFrozen: Fault = {
  name: "transport-frozen",
  title: "transport frozen",
  strike: ({ product }) => product.freezeTransport(),
  lastsSeconds: [5, 12],
  heal: ({ product }) => product.thawTransport(),
  watchSeconds: 5,
  expected: { ...GOES_ON, consoleProblems: [FAILED_SESSION] },
};
