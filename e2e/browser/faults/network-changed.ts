import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import type { Fault } from "../fault-rig/fault.ts";

/** From one network to another: every socket of the browser is dead, and the system says so. */
export const networkChanged: Fault = {
  name: "network-changed",
  title: "from one network to another",
  isByCommand: true,
  strike: async ({ udp, tcp }) => {
    tcp.refuse();
    await udp.breakSockets();
    tcp.restore();
  },
  watchSeconds: 12,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 5,
    endPath: "webtransport",
    consoleProblems: [FAILED_REQUEST, FAILED_SESSION],
  },
};
