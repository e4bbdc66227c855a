import type { Fault } from "../fault.ts";
import { FAILED_REQUEST, FAILED_SESSION } from "./expected-problems.ts";

export const networkGone: Fault = {
  name: "network-gone",
  title: "network gone 10 s",
  strike: ({ udp, tcp }) => {
    udp.cut();
    tcp.cut();
  },
  lastsSeconds: 10,
  withholds: "the network",
  heal: ({ udp, tcp }) => {
    udp.mend();
    tcp.mend();
  },
  watchSeconds: 19,
  expectedProblems: [FAILED_REQUEST, FAILED_SESSION],
};
