import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** The whole server ends in order and begins again at its port, as for a new version; the film lives on its buffer. */
export const serverUpgraded: Fault = {
  name: "server-upgraded",
  title: "server upgraded while the film plays",
  strike: ({ product, chance }) => product.restart("stopped", chance.between([0, 2])),
  lastsSeconds: [0, 0],
  withholds: "the network",
  watchSeconds: 9,
  expected: { ...GOES_ON, stalledSeconds: 2, consoleProblems: [FAILED_REQUEST, FAILED_SESSION] },
};
