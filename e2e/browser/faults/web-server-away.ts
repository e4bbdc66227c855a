import { FAILED_REQUEST } from "../fault-rig/console-problems.ts";
import type { Fault } from "../fault-rig/fault.ts";

/** The film comes over WebTransport and needs no web server; what the page wants of it meanwhile fails. */
export const webServerAway: Fault = {
  name: "web-server-away",
  title: "web server away 10 s",
  strike: ({ tcp }) => tcp.refuse(),
  lastsSeconds: 10,
  heal: ({ tcp }) => tcp.restore(),
  watchSeconds: 12,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 3,
    endPath: "webtransport",
    paths: ["webtransport"],
    httpSegments: "none",
    consoleProblems: [FAILED_REQUEST],
  },
};
