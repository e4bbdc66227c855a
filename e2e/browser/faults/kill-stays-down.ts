import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import type { Fault } from "../fault-rig/fault.ts";

/** Whatever the supervisor starts is killed, too. */
export const killStaysDown: Fault = {
  name: "kill-stays-down",
  title: "transport killed, staying down",
  strike: ({ product }) => product.keepTransportDown(),
  watchSeconds: 11,
  expected: {
    stalledSeconds: 0,
    bytesAfterSeconds: 3,
    endPath: "http",
    httpSegments: "some",
    consoleProblems: [FAILED_SESSION],
  },
};
