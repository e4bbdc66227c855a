import type { Fault } from "../fault.ts";
import { FAILED_SESSION } from "./expected-problems.ts";

export const udpGone: Fault = {
  name: "udp-gone",
  title: "UDP blocked from the middle of the film on",
  strike: ({ udp }) => udp.cut(),
  watchSeconds: 13,
  expectedProblems: [FAILED_SESSION],
};
