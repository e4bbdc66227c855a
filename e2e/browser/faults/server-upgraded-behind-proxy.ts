import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The proxy answers 502 for so long that a player which takes that for an answer has given up. */
export const serverUpgradedBehindProxy: Fault = {
  name: "server-upgraded-behind-proxy",
  title: "server upgraded behind a proxy, which answers 502 meanwhile",
  isByCommand: true,
  prepare: ({ tcp }) => tcp.speakForServer(),
  strike: ({ product, chance }) => product.restart("stopped", chance.between([7, 9])),
  lastsSeconds: [0, 0],
  withholds: "the network",
  watchSeconds: 10,
  expected: { ...GOES_ON, stalledSeconds: 2, consoleProblems: [FAILED_REQUEST, FAILED_SESSION] },
};
