import { BEGINS, type Fault } from "../fault-rig/fault.ts";

/** UDP's share of an IPv4 packet of 1280 bytes, the least that every path of IPv6 carries. */
const LARGEST_BYTES = 1280 - 28;

/** Packets of 1280 bytes pass, larger ones vanish without a word. */
export const smallMtu: Fault = {
  name: "small-mtu",
  title: "a path for packets of 1280 bytes",
  isByCommand: true,
  prepare: ({ udp }) => udp.limit(LARGEST_BYTES),
  watchSeconds: 10,
  expected: { ...BEGINS, httpSegments: "none" },
};
