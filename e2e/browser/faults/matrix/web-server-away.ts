import type { Fault } from "../fault.ts";
import { FAILED_REQUEST } from "./expected-problems.ts";

/** The film comes over WebTransport and needs no web server; what the page wants of it meanwhile fails. */
export const webServerAway: Fault = {
  name: "web-server-away",
  title: "web server away 10 s",
  strike: ({ tcp }) => tcp.refuse(),
  lastsSeconds: 10,
  heal: ({ tcp }) => tcp.mend(),
  watchSeconds: 12,
  expectedProblems: [FAILED_REQUEST],
};
