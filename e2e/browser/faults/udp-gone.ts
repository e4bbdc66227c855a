import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import type { Fault } from "../fault-rig/fault.ts";

export const udpGone: Fault = {
  name: "udp-gone",
  title: "UDP blocked from the middle of the film on",
  isByCommand: true,
  strike: ({ udp }) => udp.cut(),
  watchSeconds: 13,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 3,
    endPath: "http",
    httpSegments: "some",
    consoleProblems: [FAILED_SESSION],
  },
};
