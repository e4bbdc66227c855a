import { BROWSER_KINDS } from "../browsers/program.ts";
import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

export const networkGone: Fault = {
  name: "network-gone",
  title: "network gone",
  strike: ({ udp, tcp }) => {
    udp.cut();
    tcp.cut();
  },
  lastsSeconds: [5, 12],
  withholds: "the network",
  heal: ({ udp, tcp }) => {
    udp.restore();
    tcp.restore();
  },
  browsers: BROWSER_KINDS,
  watchSeconds: 9,
  expected: { ...GOES_ON, stalledSeconds: 2, consoleProblems: [FAILED_REQUEST, FAILED_SESSION] },
};
