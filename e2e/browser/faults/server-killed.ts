import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** As by a system without memory; the transport ends with the web server that watched it. */
export const serverKilled: Fault = {
  name: "server-killed",
  title: "web server killed, and started again",
  isByCommand: true,
  strike: ({ product, chance }) => product.restart("killed", chance.between([0, 2])),
  lastsSeconds: [0, 0],
  withholds: "the network",
  watchSeconds: 10,
  expected: { ...GOES_ON, stalledSeconds: 2, consoleProblems: [FAILED_REQUEST, FAILED_SESSION] },
};
