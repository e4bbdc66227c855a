import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** Longer than a connection lives without an answer. */
export const networkGoneLong: Fault = {
  name: "network-gone-long",
  title: "network gone for a minute",
  isByCommand: true,
  strike: ({ udp, tcp }) => {
    udp.cut();
    tcp.cut();
  },
  lastsSeconds: [45, 75],
  withholds: "the network",
  heal: ({ udp, tcp }) => {
    udp.restore();
    tcp.restore();
  },
  watchSeconds: 15,
  expected: {
    ...GOES_ON,
    stalledSeconds: 5,
    bytesAfterSeconds: 5,
    consoleProblems: [FAILED_REQUEST, FAILED_SESSION],
  },
};
