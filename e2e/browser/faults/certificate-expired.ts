import { fileURLToPath } from "node:url";
import { FAILED_SESSION } from "../fault-rig/console-problems.ts";
import type { Fault } from "../fault-rig/fault.ts";

const EXPIRED = fileURLToPath(new URL("../fault-rig/expired-certificate", import.meta.url));

/** The server announces a certificate that nobody renewed: its hash is right, and the browser refuses it all the same. */
export const certificateExpired: Fault = {
  name: "certificate-expired",
  title: "certificate expired",
  isByCommand: true,
  serverEnvironment: { PYTHONPATH: EXPIRED },
  watchSeconds: 12,
  expected: {
    stalledSeconds: 0,
    firstFrameSeconds: 4,
    endPath: "http",
    httpSegments: "some",
    consoleProblems: [FAILED_SESSION],
  },
};
