import { expect, test } from "vitest";
import type { Playback, SegmentRecord } from "../page-process/job.ts";
import { judge, type Observed, type PathChange } from "./outcome.ts";

const STRUCK_AT_MS = 10_000;

test("the first download that was asked for after the fault says when bytes flow again", () => {
  const segments = [segment(9_000, 9_500), segment(10_400, 11_700), segment(11_700, 12_000)];
  expect(judge(observed({ segments })).bytesAfterSeconds).toBeCloseTo(1.7);
});

test("a download whose last bytes were on their way at the fault says nothing of it", () => {
  const segments = [segment(9_900, 10_100), segment(12_000, 12_500)];
  expect(judge(observed({ segments })).bytesAfterSeconds).toBeCloseTo(2.5);
});

test("a download that was open at the fault and came to its end counts", () => {
  expect(judge(observed({ segments: [segment(9_900, 11_000)] })).bytesAfterSeconds).toBeCloseTo(1);
});

test("bytes that never came have no time", () => {
  expect(judge(observed({ segments: [segment(9_000, 9_500)] })).bytesAfterSeconds).toBeNull();
});

test("a stall before the fault is not the fault's", () => {
  const { stalledSeconds } = judge(observed({ standsFromTo: [6_000, 8_000] }));
  expect(stalledSeconds).toBe(0);
});

test("a standstill shorter than the time between two samples is none", () => {
  expect(judge(observed({ standsFromTo: [12_000, 12_080] })).stalledSeconds).toBe(0);
});

test("a film that stands still with data ahead is held up by the machine, and does not stall", () => {
  const outcome = judge(observed({ standsFromTo: [12_000, 14_000], bufferSeconds: 3 }));
  expect(outcome.stalledSeconds).toBe(0);
  expect(outcome.heldUpSeconds).toBeCloseTo(2);
});

test("a page that was stopped with data ahead, and stands still for longer, stalls", () => {
  const changes = { standsFromTo: [10_500, 16_000], withheld: { what: "the page", seconds: 3 } } as const;
  expect(judge(observed({ ...changes, bufferSeconds: 8 })).stalledSeconds).toBeCloseTo(2.5);
});

test("what the page itself was stopped is no stall", () => {
  const changes = { standsFromTo: [11_000, 16_000], withheld: { what: "the page", seconds: 3 } } as const;
  expect(judge(observed(changes)).stalledSeconds).toBeCloseTo(2);
});

test("of a network that was gone for 10 s, what was not buffered is no stall", () => {
  const withheld = { what: "the network", seconds: 10 } as const;
  expect(judge(observed({ standsFromTo: [18_000, 20_500], withheld })).stalledSeconds).toBeCloseTo(0.5);
});

test("bytes are waited for from the end of what nobody could have", () => {
  const withheld = { what: "the network", seconds: 10 } as const;
  const segments = [segment(10_500, 10_900), segment(11_000, 21_500)];
  expect(judge(observed({ segments, withheld })).bytesAfterSeconds).toBeCloseTo(1.5);
});

test("the path that the fault found is the first of its paths", () => {
  const paths = [change(1_000, "connecting"), change(2_000, "webtransport"), change(11_000, "http")];
  const outcome = judge(observed({ paths }));
  expect(outcome.paths).toEqual(["webtransport", "http"]);
  expect(outcome.endPath).toBe("http");
});

test.each([
  [[change(2_000, "webtransport")], 0],
  [[change(2_000, "webtransport"), change(11_000, "http"), change(14_500, "webtransport")], 4.5],
  [[change(2_000, "webtransport"), change(11_000, "http")], null],
] as const)("WebTransport is back when it stays: %j is %s", (paths, seconds) => {
  expect(judge(observed({ paths })).webTransportAfterSeconds).toBe(seconds);
});

test("only segments over HTTP from after the fault are its", () => {
  expect(judge(observed({ httpSegmentsAtMs: [9_999, 10_001, 12_000] })).httpSegments).toBe(2);
});

interface Changes extends Partial<Observed> {
  readonly standsFromTo?: readonly [number, number];
  /** Of the film ahead of the playhead, except while it stands still if unset: then there is nothing. */
  readonly bufferSeconds?: number;
}

function observed({ standsFromTo = [0, 0], bufferSeconds, ...changes }: Changes): Observed {
  return {
    struckAtMs: STRUCK_AT_MS,
    withheld: null,
    playback: playback(standsFromTo, bufferSeconds ?? null),
    segments: [],
    paths: [],
    httpSegmentsAtMs: [],
    notice: null,
    problems: [],
    cpuUse: null,
    lastedSeconds: 0,
    telemetry: { sessions: 1, missing: 0, dropped: 0 },
    ...changes,
  };
}

/** A film of 20 s from 5 s on, sampled every 100 ms, that stands still for a while. */
function playback([fromMs, toMs]: readonly [number, number], bufferSeconds: number | null): Playback {
  const times = Array.from({ length: 200 }, (_, index) => 5_000 + index * 100);
  const stoodMs = (atMs: number) => Math.max(0, Math.min(atMs, toMs) - fromMs);
  const samples = times.map((atMs) => ({
    atMs,
    mediaSeconds: (atMs - 5_000 - stoodMs(atMs)) / 1000,
    bufferSeconds: bufferSeconds ?? (atMs >= fromMs && atMs < toMs ? 0 : 8),
    videoHeight: 720,
    isEnded: false,
  }));
  return { navigatedAtMs: 4_000, firstFrameAtMs: 5_000, samples };
}

function segment(requestedAtMs: number, endedAtMs: number): SegmentRecord {
  return {
    mediaType: "video",
    index: 1,
    startSeconds: 0,
    durationSeconds: 2,
    bitsPerSecond: 1e6,
    bytes: 250_000,
    requestedAtMs,
    endedAtMs,
  };
}

function change(atMs: number, kind: string): PathChange {
  return { atMs, kind, reason: null };
}
