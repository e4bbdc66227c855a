import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { BEGINS, type Fault } from "../fault-rig/fault.ts";

/** Three datagrams in ten are lost, three in a row, while session and film begin. */
export const handshakeLost: Fault = {
  name: "handshake-lost",
  title: "30 % of the datagrams lost at the start",
  isByCommand: true,
  prepare: ({ udp, chance }) => udp.impair({ loss: 0.3, lossBurst: 3 }, chance),
  lastsSeconds: [2, 6],
  heal: ({ udp }) => udp.restore(),
  watchSeconds: 12,
  expected: { ...BEGINS, stalledSeconds: 2, consoleProblems: [FAILED_SESSION] },
};
