import { beforeEach, expect, it } from "vitest";
import type { NuwaCore } from "../core/nuwa-types.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { SessionState } from "../session/session-state.ts";
import { ReceivedBandwidth } from "./received-bandwidth.ts";

let newest: NetworkEstimate | null;
let listeners: Map<string, (event: unknown) => void>;
let received: ReceivedBandwidth;

beforeEach(() => {
  newest = null;
  listeners = new Map();
  received = new ReceivedBandwidth({
    estimate: () => newest,
    on: (type: string, listener: (event: unknown) => void) => {
      listeners.set(type, listener);
      return () => listeners.delete(type);
    },
  } as unknown as NuwaCore);
});

function estimate(atMs: number, bandwidthBitsPerSecond: number | null): void {
  newest = { atMs, bandwidthBitsPerSecond, deliveredBitsPerSecond: 1e6 } as NetworkEstimate;
  listeners.get("estimate")?.(newest);
}

const become = (kind: SessionState["kind"]): void => listeners.get("session")?.({ kind });

it("is the newest estimate before any came since, a mean after that, and nothing where the receiver has none", () => {
  newest = { bandwidthBitsPerSecond: 3e6 } as NetworkEstimate;
  expect(received.bitsPerSecond()).toBe(3e6);
  for (let tenth = 0; tenth < 200; tenth++) estimate(100 * tenth, tenth % 2 === 0 ? 8e6 : 2e6);
  expect(received.bitsPerSecond()).toBeCloseTo(5e6, -6);
  newest = null;
  expect(received.bitsPerSecond()).toBeNull();
  received.close();
  expect(listeners.size).toBe(0);
});

it.each(["opening", "away", "lost", "idle", "suspended"] as const)(
  "begins anew once the session has ended (%s), also where nobody asks meanwhile",
  (kind) => {
    for (let tenth = 0; tenth < 300; tenth++) estimate(100 * tenth, 40e6);
    become(kind);
    become("opening");
    become("open");
    for (const atMs of [60_000, 60_100, 60_200]) estimate(atMs, 2e6);
    expect(received.bitsPerSecond()).toBeCloseTo(2e6, 0);
  },
);

it("takes the last estimate of a session that has ended for nothing, until the new one has one", () => {
  estimate(0, 40e6);
  become("opening");
  expect(received.bitsPerSecond()).toBeNull();
  estimate(1000, 4e6);
  expect(received.bitsPerSecond()).toBeCloseTo(4e6, 0);
});

it("keeps its mean while the session is merely silent", () => {
  estimate(0, 40e6);
  become("silent");
  become("open");
  estimate(5000, 2e6);
  expect(received.bitsPerSecond()).toBeGreaterThan(20e6);
});

it("begins anew on a path of which the receiver knows nothing", () => {
  for (let tenth = 0; tenth < 300; tenth++) estimate(100 * tenth, 40e6);
  estimate(60_000, null);
  expect(received.bitsPerSecond()).toBeNull();
  estimate(60_100, 4e6);
  expect(received.bitsPerSecond()).toBeCloseTo(4e6, 0);
});
