import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

/** As in a network that lets only TCP out. */
export const udpBlocked: Fault = {
  name: "udp-blocked",
  title: "UDP blocked from the start",
  prepare: ({ udp }) => udp.cut(),
  watchSeconds: 12,
  expectedProblems: [FAILED_SESSION],
};
