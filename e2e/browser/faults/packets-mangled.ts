import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

/** A bad radio link: some datagrams are lost, damaged, doubled and overtaken, either way. */
export const packetsMangled: Fault = {
  name: "packets-mangled",
  title: "2 % lost, 2 % damaged, 5 % doubled, 5 % overtaken",
  isByCommand: true,
  strike: ({ udp, chance }) =>
    udp.impair({ loss: 0.02, corruption: 0.02, duplication: 0.05, reordering: 0.05 }, chance),
  watchSeconds: 12,
  expected: { ...GOES_ON, bytesAfterSeconds: 5, consoleProblems: [FAILED_SESSION] },
};
