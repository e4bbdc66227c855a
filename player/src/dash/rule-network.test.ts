import { signal } from "@preact/signals-core";
import { expect, it } from "vitest";
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
  endedAtMs: 1500,
  ...changes,
});

it("remembers what the last twenty video segments took", () => {
  const network = new RuleNetwork(signal(null));
  expect(network.segmentThroughputs()).toEqual([]);
  network.addSegment(segment({})); // 2 Mbit in half a second
  network.addSegment(segment({ bytes: 125_000 }));
  network.addSegment(segment({ mediaType: "audio" }));
  network.addSegment(segment({ endedAtMs: 1000 })); // from a cache
  expect(network.segmentThroughputs()).toEqual([4e6, 2e6]);
  for (let more = 0; more < 19; more++) network.addSegment(segment({}));
  expect(network.segmentThroughputs()).toEqual([2e6, ...Array<number>(19).fill(4e6)]);
});
