import { setTimeout as pause } from "node:timers/promises";
import { FAILED_REQUEST, FAILED_SESSION } from "../fault-rig/console-problems.ts";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";

const ROUNDS = 3;
const AWAY_MS = 2000;
const BACK_MS = 3000;

/** Gone for 2 s of every 5 s: shorter than what a session takes to be given up. */
export const networkFlaps: Fault = {
  name: "network-flaps",
  title: "network gone 2 s of every 5 s",
  isByCommand: true,
  strike: async ({ udp, tcp }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      udp.cut();
      tcp.cut();
      await pause(AWAY_MS);
      udp.restore();
      tcp.restore();
      if (round < ROUNDS - 1) await pause(BACK_MS);
    }
  },
  watchSeconds: 8,
  expected: { ...GOES_ON, bytesAfterSeconds: 5, consoleProblems: [FAILED_REQUEST, FAILED_SESSION] },
};
