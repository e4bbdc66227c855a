import { expect, it } from "vitest";
import type { NuwaCore } from "../core/nuwa-types.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { ReceivedBandwidth } from "./received-bandwidth.ts";

let newest: NetworkEstimate | null = null;
let tell: ((estimate: NetworkEstimate) => void) | null = null;
const nuwa = {
  estimate: () => newest,
  on: (_type: string, listener: (estimate: NetworkEstimate) => void) => {
    tell = listener;
    return () => {
      tell = null;
    };
  },
} as unknown as NuwaCore;

function estimate(atMs: number, bandwidthBitsPerSecond: number | null): void {
  newest = { atMs, bandwidthBitsPerSecond, deliveredBitsPerSecond: 1e6 } as NetworkEstimate;
  tell?.(newest);
}

it("is the newest estimate before any came since, a mean after that, and nothing where the receiver has none", () => {
  newest = { bandwidthBitsPerSecond: 3e6 } as NetworkEstimate;
  const received = new ReceivedBandwidth(nuwa);
  expect(received.bitsPerSecond()).toBe(3e6);
  for (let tenth = 0; tenth < 200; tenth++) estimate(100 * tenth, tenth % 2 === 0 ? 8e6 : 2e6);
  expect(received.bitsPerSecond()).toBeCloseTo(5e6, -6);
  newest = null;
  expect(received.bitsPerSecond()).toBeNull();
  estimate(60_000, null);
  expect(received.bitsPerSecond()).toBeNull();
  estimate(60_100, 4e6);
  expect(received.bitsPerSecond()).toBeCloseTo(4e6, 0); // the mean begins anew
  received.close();
  expect(tell).toBeNull();
});
