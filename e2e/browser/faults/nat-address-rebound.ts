import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";

/** On Linux all of 127.0.0.0/8 is this machine. */
const OTHER_ADDRESS = "127.0.0.2";

/** The server sees the session come from another address: the path is a new one, and has to prove itself. */
export const natAddressRebound: Fault = {
  name: "nat-address-rebound",
  title: "NAT rebinds to another address",
  needs: "linux",
  strike: ({ udp }) => udp.rebind(OTHER_ADDRESS),
  watchSeconds: 10,
  expected: UNTOUCHED,
};
