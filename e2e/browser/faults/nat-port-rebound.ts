import { setTimeout as pause } from "node:timers/promises";
import { type Fault, UNTOUCHED } from "../fault-rig/fault.ts";

const EVERY_MS = 5000;

/** A NAT on the way forgets the flow, again and again: the server sees it come from other ports. */
export const natPortRebound: Fault = {
  name: "nat-port-rebound",
  title: "NAT rebinds the port, every 5 s",
  isByCommand: true,
  strike: async ({ udp }) => {
    await udp.rebind();
    await pause(EVERY_MS);
    await udp.rebind();
    await pause(EVERY_MS);
    await udp.rebind();
  },
  watchSeconds: 8,
  expected: UNTOUCHED,
};
