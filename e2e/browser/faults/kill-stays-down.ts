import { type Fault, GOES_ON_OVER_HTTP } from "../fault-rig/fault.ts";

/** Whatever the supervisor starts is killed, too. */
export const killStaysDown: Fault = {
  name: "kill-stays-down",
  title: "transport killed, staying down",
  strike: ({ product }) => product.keepTransportDown(),
  watchSeconds: 11,
  expected: GOES_ON_OVER_HTTP,
};
