import { FAILED_REQUEST } from "../fault-rig/console-problems.ts";
import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";

/** The film comes over WebTransport and needs no web server; what the page wants of it meanwhile fails. */
export const webServerAway: Fault = {
  name: "web-server-away",
  title: "web server away",
  strike: ({ tcp }) => tcp.refuse(),
  lastsSeconds: [5, 12],
  heal: ({ tcp }) => tcp.restore(),
  watchSeconds: 3,
  expected: { ...UNTOUCHED, consoleProblems: [FAILED_REQUEST] },
};
