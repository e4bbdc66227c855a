import { BEGINS_OVER_HTTP, type Fault } from "../fault-rig/fault.ts";

/** QUIC needs 1200 (RFC 9000 section 14). */
const LARGEST_BYTES = 1199;

/** Too small for QUIC's first packet: no session comes about. */
export const mtuBelowQuic: Fault = {
  name: "mtu-below-quic",
  title: "a path too small for QUIC",
  isByCommand: true,
  prepare: ({ udp }) => udp.limit(LARGEST_BYTES),
  watchSeconds: 12,
  expected: BEGINS_OVER_HTTP,
};
