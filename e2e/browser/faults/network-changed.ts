import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

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
  expected: { ...GOES_ON, bytesAfterSeconds: 5, consoleProblems: [FAILED_REQUEST, FAILED_SESSION] },
};
