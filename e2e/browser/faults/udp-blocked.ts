import { BROWSER_KINDS } from "../browsers/program.ts";
import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import type { Fault } from "../fault-rig/fault.ts";

/** As in a network that lets only TCP out. */
export const udpBlocked: Fault = {
  name: "udp-blocked",
  title: "UDP blocked from the start",
  prepare: ({ udp }) => udp.cut(),
  browsers: BROWSER_KINDS,
  watchSeconds: 9,
  expected: {
    stalledSeconds: 0,
    firstFrameSeconds: 4,
    endPath: "http",
    httpSegments: "some",
    consoleProblems: [FAILED_SESSION],
  },
};
