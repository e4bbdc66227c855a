import { fileURLToPath } from "node:url";
import { BEGINS_OVER_HTTP, type Fault } from "../fault-rig/fault.ts";

const EXPIRED = fileURLToPath(new URL("../fault-rig/expired-certificate", import.meta.url));

/** The server announces a certificate that nobody renewed: its hash is right, and the browser refuses it all the same. */
export const certificateExpired: Fault = {
  name: "certificate-expired",
  title: "certificate expired",
  isByCommand: true,
  serverEnvironment: { PYTHONPATH: EXPIRED },
  watchSeconds: 12,
  expected: BEGINS_OVER_HTTP,
};
