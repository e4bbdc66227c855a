import { atom } from "nanostores";
import { expect, it } from "vitest";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import type { SegmentRecord } from "./play-log.ts";
import { RuleNetwork } from "./rule-network.ts";

const segment = (changes: Partial<SegmentRecord>): SegmentRecord => ({
  mediaType: "video",
  index: 0,
  startSeconds: 0,
  durationSeconds: 2,
  bitsPerSecond: 1e6,
  bytes: 250_000,
  requestedAtMs: 1000,
  firstByteAtMs: null,
  endedAtMs: 1500,
  silentMs: 0,
  ...changes,
});

it("remembers what the last twenty video segments took", () => {
  const network = new RuleNetwork(atom(null));
  expect(network.segmentThroughputs()).toEqual([]);
  network.addSegment(segment({})); // 2 Mbit in half a second
  network.addSegment(segment({ bytes: 125_000 }));
  network.addSegment(segment({ mediaType: "audio" }));
  network.addSegment(segment({ endedAtMs: 1000 })); // from a cache
  expect(network.segmentThroughputs()).toEqual([4e6, 2e6]);
  for (let more = 0; more < 19; more++) network.addSegment(segment({}));
  expect(network.segmentThroughputs()).toEqual([2e6, ...Array<number>(19).fill(4e6)]);
});

const told = (bandwidthBitsPerSecond: number, atMs: number): NetworkEstimate =>
  ({ bandwidthBitsPerSecond, atMs, deliveredBitsPerSecond: 1, smoothedRttSeconds: 0.03 }) as NetworkEstimate;

it("keeps what was known when a segment was asked for beside what it took", () => {
  const estimate = atom<NetworkEstimate | null>(told(4e6, 900));
  const network = new RuleNetwork(estimate);
  network.addSegment(segment({})); // no rule was asked
  network.rememberOutlook(1000, 100_000);
  estimate.set(told(9e6, 1100));
  network.rememberOutlook(1100, 0);
  network.addSegment(segment({ requestedAtMs: 1000, endedAtMs: 4500, silentMs: 3000 }));
  expect(network.pastDownloads()).toEqual([
    {
      expectedBits: 2e6 + 0.2e6,
      seconds: 3.5,
      silentSeconds: 3,
      roundTripSeconds: 0.03,
      outlook: expect.objectContaining({ nowBitsPerSecond: 4e6 }),
    },
  ]);
});

it("takes a round trip for the time to the first byte until segments have told it", () => {
  const standing = { ...told(4e6, 900), smoothedRttSeconds: 2.4 }; // the queue of a download that has just ended
  const network = new RuleNetwork(atom<NetworkEstimate | null>(standing));
  expect(network.firstByteSeconds()).toBe(2.4);
  for (const firstByteAtMs of [1044, 1040, null, 1700]) network.addSegment(segment({ firstByteAtMs }));
  network.addSegment(segment({ mediaType: "audio", firstByteAtMs: 1490 }));
  expect(network.firstByteSeconds()).toBeCloseTo(0.044, 12);
  expect(network.roundTripSeconds()).toBe(2.4);
  network.rememberOutlook(2000, 0);
  network.addSegment(segment({ requestedAtMs: 2000, endedAtMs: 2500 }));
  expect(network.pastDownloads().at(-1)?.roundTripSeconds).toBeCloseTo(0.044, 12);
  for (let more = 0; more < 3; more++) network.addSegment(segment({ firstByteAtMs: 1100 }));
  expect(network.firstByteSeconds()).toBeCloseTo(0.1, 12); // of 40, 700, 100, 100 and 100 ms
});

it("averages the session's estimates for dash.js, and forgets them with the session", () => {
  const estimate = atom<NetworkEstimate | null>(told(4e6, 0));
  const network = new RuleNetwork(estimate);
  estimate.set(told(8e6, 100));
  expect(network.throughputBitsPerSecond("newest")).toBe(8e6);
  expect(network.throughputBitsPerSecond("mean")).toBeGreaterThan(4e6);
  expect(network.throughputBitsPerSecond("mean")).toBeLessThan(8e6);
  estimate.set(null);
  expect(network.throughputBitsPerSecond("mean")).toBeNull();
});

it("learns what segments weigh", () => {
  const network = new RuleNetwork(atom(null));
  network.addSegment(segment({ bytes: 500_000 })); // 4 Mbit for 2 nominal ones
  expect(network.expectedBits(1e6, 2)).toBeGreaterThan(2e6);
});

it("forecasts by the session's estimates and dash.js's throughputs together, and by either where it is alone", () => {
  const estimate = atom<NetworkEstimate | null>(null);
  const network = new RuleNetwork(estimate);
  expect(network.outlook()).toBeNull();
  network.addThroughput(1000, 4e6);
  expect(network.outlook()?.recentBitsPerSecond).toBeCloseTo(4e6, 3);
  estimate.set(told(9e6, 1100));
  expect(network.outlook()?.recentBitsPerSecond).toBeCloseTo(6e6, 3);
  expect(network.outlook()?.sustainedBitsPerSecond).toBeCloseTo(4e6, 3);
  expect(new RuleNetwork(estimate).outlook()?.sustainedBitsPerSecond).toBeCloseTo(9e6, 3);
});
