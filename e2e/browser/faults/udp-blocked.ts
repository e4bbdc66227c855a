import { BROWSER_KINDS } from "../browsers/program.ts";
import { BEGINS_OVER_HTTP, type Fault } from "../fault-rig/fault.ts";

/** As in a network that lets only TCP out. */
export const udpBlocked: Fault = {
  name: "udp-blocked",
  title: "UDP blocked from the start",
  prepare: ({ udp }) => udp.cut(),
  browsers: BROWSER_KINDS,
  watchSeconds: 9,
  expected: BEGINS_OVER_HTTP,
};
