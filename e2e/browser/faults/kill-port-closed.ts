import { type Fault, GOES_ON_OVER_HTTP } from "../fault-rig/fault.ts";

/** On one machine the system itself tells the browser that nobody listens any more. */
export const killPortClosed: Fault = {
  name: "kill-port-closed",
  title: "transport killed, staying down, and the system says that its port is closed",
  isByCommand: true,
  isUdpDirect: true,
  strike: ({ product }) => product.keepTransportDown(),
  watchSeconds: 12,
  expected: GOES_ON_OVER_HTTP,
};
