import { type Fault, GOES_ON_OVER_HTTP } from "../fault-rig/fault.ts";

export const udpGone: Fault = {
  name: "udp-gone",
  title: "UDP blocked from the middle of the film on",
  isByCommand: true,
  strike: ({ udp }) => udp.cut(),
  watchSeconds: 13,
  expected: GOES_ON_OVER_HTTP,
};
