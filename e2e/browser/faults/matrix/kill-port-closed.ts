import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** On one machine the system itself tells the browser that nobody listens any more. */
export const killPortClosed: Fault = {
  name: "kill-port-closed",
  title: "the same, and the browser is told of the closed port",
  isUdpDirect: true,
  strike: ({ product }) => product.keepTransportDown(),
  watchSeconds: 12,
  expectedProblems: [FAILED_SESSION],
};
