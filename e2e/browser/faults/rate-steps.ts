import { setTimeout as pause } from "node:timers/promises";
import { type Fault, GOES_ON } from "../fault-rig/fault.ts";
import type { Rig } from "../fault-rig/rig.ts";

/** Queues of full packets: 72 ms of the fast link, a second of the slow one. */
const FAST = { name: "50mbit", queuePackets: 300 };
const SLOW = { name: "0.2mbit", queuePackets: 17 };
const ROUNDS = 2;

/** From 50 Mbit/s to 200 kbit/s, with a second of queue, and back, twice. */
export const rateSteps: Fault = {
  name: "rate-steps",
  title: "50 Mbit/s, 200 kbit/s and back",
  isByCommand: true,
  isUdpDirect: true,
  serverArgs: ["--link", FAST.name, "--queue", String(FAST.queuePackets)],
  strike: async (rig) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await change(rig, SLOW);
      await pause(1000 * rig.chance.between([2, 5]));
      await change(rig, FAST);
      await pause(1000 * rig.chance.between([2, 5]));
    }
  },
  watchSeconds: 8,
  expected: { ...GOES_ON, bytesAfterSeconds: 10, httpSegments: "none" },
};

async function change({ product }: Rig, link: typeof FAST): Promise<void> {
  const headers = { "Content-Type": "application/json", Origin: product.address };
  const body = JSON.stringify(link);
  const response = await fetch(`${product.address}/api/link`, { method: "PUT", headers, body });
  if (!response.ok) throw new Error(`the link ${link.name}: ${response.status} ${await response.text()}`);
}
