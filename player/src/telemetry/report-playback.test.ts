import { Ajv2020 } from "ajv/dist/2020.js";
import { atom } from "nanostores";
import { expect, test } from "vitest";
import { BATCH_SCHEMA } from "../../../server/telemetry/batch-schema.ts";
import type { NetworkEstimate } from "../session/network-estimate.ts";
import { PlaybackReporter, type ReportedPath } from "./report-playback.ts";
import type { EventFields, EventType, StreamType } from "./vocabulary.ts";

const isBatch = new Ajv2020({ strictRequired: false }).compile(BATCH_SCHEMA);

const ESTIMATE: NetworkEstimate = {
  atMs: 0,
  bandwidthBitsPerSecond: 5_249_000,
  deliveredBitsPerSecond: 4_000_400,
  queueingDelaySeconds: 0.01234,
  targetDelaySeconds: 0.04,
  windowBytes: 65_536.4,
  wantedBitsPerSecond: null,
  isHeld: false,
  cwndBytes: null,
  smoothedRttSeconds: 0.0521,
  k: 7,
  phase: null,
  silenceSeconds: 0,
  stampsReceived: 10,
  stampsMissing: 2,
  malformedDatagrams: 0,
  hostLateSeconds: 0.0364,
  policy: null,
};

const CHOICES = { scheme: "nuwa", preset: "film", rule: "dynamic", estimator: "receiver" } as const;

/** A film whose element is moved by hand. */
function film() {
  const streamTypes: StreamType[] = [];
  const reports: { e: EventType; fields: EventFields; atMs?: number }[] = [];
  let nowMs = 1000;
  let interval: () => void = () => undefined;
  const video = Object.assign(new EventTarget(), {
    currentTime: 12.3456,
    paused: false,
    seeking: false,
    ended: false,
    playbackRate: 1,
    muted: false,
    getVideoPlaybackQuality: () => ({ droppedVideoFrames: 4 }),
  });
  const path = atom<ReportedPath>({ kind: "connecting", reason: null });
  const estimate = atom<NetworkEstimate | null>(ESTIMATE);
  const reporter = new PlaybackReporter({
    video,
    now: {
      bufferSeconds: () => 7.96,
      playedBitsPerSecond: () => 2_999_600,
      dashjsBitsPerSecond: () => 1_000_000,
      path,
      estimate,
    },
    choices: CHOICES,
    report: (e, fields, atMs) => reports.push({ e, fields, ...(atMs !== undefined && { atMs }) }),
    tellStreamType: (type) => streamTypes.push(type),
    nowMs: () => nowMs,
    every: (callback) => {
      interval = callback;
      return () => {
        interval = () => undefined;
      };
    },
  });
  const on = (event: string, afterMs: number) => {
    nowMs += afterMs;
    video.dispatchEvent(new Event(event));
  };
  return { reporter, reports, streamTypes, video, path, estimate, on, tick: () => interval() };
}

/** What the server finds wrong with these as a batch; null: nothing. */
function problemsOf(reports: ReturnType<typeof film>["reports"]) {
  const events = reports.map(({ e, fields }, sn) => ({ sn, ts: 1, e, ...fields }));
  isBatch({ schema: 1, v: 2, cid: "film", sf: "d", st: "v", dropped: 0, events });
  return isBatch.errors;
}

test("an interval has CMCD's units and rounding", () => {
  const { reporter, reports, path, on, tick } = film();
  tick(); // nothing has begun: nothing to tell
  on("play", 0);
  on("playing", 640);
  reporter.switched({ toBitsPerSecond: 3_000_000, decidedBy: "NuwaRule" });
  path.set({ kind: "webtransport", reason: null });
  tick();
  expect(reports.at(-1)).toEqual({
    e: "t",
    fields: {
      sta: "p",
      bl: 8000,
      pt: 12_346,
      br: 3000,
      pb: 3000,
      mtp: 5200,
      dfa: 4,
      "nuwa-path": "webtransport",
      "nuwa-qd": 12.3,
      "nuwa-td": 40,
      "nuwa-rtt": 52.1,
      "nuwa-w": 65_536,
      "nuwa-k": 7,
      "nuwa-bw": 5249,
      "nuwa-dr": 4000,
      "nuwa-missing": 2,
      "nuwa-late": 36.4,
    },
  });
});

test("the start is when it was wished, not when the page was made", () => {
  const { reporter, reports, on } = film();
  expect(reports.map(({ e }) => e)).toEqual(["ce"]);
  reporter.begin(91_000);
  expect(reports.at(-1)).toEqual({ e: "ps", fields: { sta: "s" }, atMs: 91_000 });
  on("playing", 90_700);
  expect(reports.at(-1)?.fields).toMatchObject({ sta: "p", msd: 700 });
});

test("the throughput is the one that the rule sees, and choices say whose that is", () => {
  const { reporter, reports, on, tick, estimate } = film();
  on("playing", 0);
  reporter.choices({ ...CHOICES, scheme: "cubic", estimator: "dashjs" });
  expect(reports.at(-1)?.fields).toEqual({
    ...{ cen: "nuwa-choices", "nuwa-scheme": "cubic", "nuwa-preset": "film" },
    ...{ "nuwa-rule": "dynamic", "nuwa-estimator": "dashjs" },
  });
  tick();
  expect(reports.at(-1)?.fields).toMatchObject({ mtp: 1000, "nuwa-bw": 5249 });
  reporter.choices(CHOICES);
  tick();
  expect(reports.at(-1)?.fields).toMatchObject({ mtp: 5200 });
  estimate.set(null); // over HTTP
  tick();
  expect(reports.at(-1)?.fields).toMatchObject({ mtp: 1000 });
});

test("an interval says that the buffer ran empty since the last one, and the next does not", () => {
  const { reporter, reports, on, tick } = film();
  on("play", 0);
  on("playing", 10);
  reporter.stalled();
  reporter.stallEnded(900);
  tick();
  expect(reports.at(-1)?.fields.bs).toBe(true);
  tick();
  expect(reports.at(-1)?.fields.bs).toBeUndefined();
});

test("of a film at rest one interval is told, until it goes on", () => {
  const { reports, on, tick } = film();
  const intervals = (count: number) => {
    const before = reports.length;
    for (let round = 0; round < count; round += 1) tick();
    return reports.slice(before).map(({ fields }) => fields.sta);
  };
  on("play", 0);
  on("playing", 10);
  expect(intervals(2)).toEqual(["p", "p"]);
  on("pause", 10);
  expect(intervals(3)).toEqual(["a"]);
  on("playing", 10);
  expect(intervals(2)).toEqual(["p", "p"]);
  on("ended", 10);
  expect(intervals(3)).toEqual(["e"]);
});

test("all that is reported is what the server takes", () => {
  const { reporter, reports, on, tick, path } = film();
  for (const event of ["play", "playing"]) on(event, 100);
  reporter.stalled();
  reporter.stallEnded(100.4);
  for (const event of ["seeking", "playing", "ratechange"]) on(event, 100);
  path.set({ kind: "http", reason: "x".repeat(500) });
  path.set({ kind: "http", reason: "the same again" });
  reporter.switched({ toBitsPerSecond: 1_234_567 });
  reporter.failed(`The film cannot be played on: ${"x".repeat(500)}.`);
  reporter.choices({ ...CHOICES, scheme: "cubic", rule: "bola" });
  tick();
  expect(problemsOf(reports)).toBeNull();
  expect(reports.map(({ e }) => e)).toEqual([
    "ce",
    "ps",
    "ps",
    "ps",
    "ps",
    "ps",
    "ps",
    "pr",
    "ce",
    "bc",
    "e",
    "ce",
    "t",
  ]);
});

test("a live film whose clock began with the epoch, and a computer that slept in it, are what the server takes", () => {
  const { reporter, reports, streamTypes, video, estimate, on, tick } = film();
  reporter.manifest({ isLive: true });
  expect(streamTypes).toEqual(["l"]);
  video.currentTime = 1_795_818_473.5;
  const days = 3 * 86_400;
  estimate.set({ ...ESTIMATE, hostLateSeconds: days, bandwidthBitsPerSecond: 1e15 });
  on("play", 0);
  on("playing", 1000 * days);
  reporter.stalled();
  reporter.stallEnded(1000 * days);
  reporter.switched({ toBitsPerSecond: 1e15 });
  tick();
  expect(reports.at(-1)?.fields).toMatchObject({ pt: 1_795_818_473_500, "nuwa-late": 86_400_000 });
  expect(problemsOf(reports)).toBeNull();
});

test("after its end nothing is reported any more", () => {
  const { reporter, reports, on, tick } = film();
  on("play", 0);
  reporter.close();
  const count = reports.length;
  on("playing", 10);
  tick();
  expect(reports).toHaveLength(count);
});

test("a learned policy is reported once, and again when it fares otherwise", () => {
  const { reports, estimate } = film();
  const report = {
    scheme: "nuwa-rl",
    name: "nuwa-rl",
    state: "ready",
    trouble: null,
    detail: null,
    usesHeuristic: false,
    decided: 3,
    late: 0,
    failed: 0,
    medianMs: 0.1,
    p99Ms: 0.2,
  } as const;
  const before = reports.length;
  estimate.set({ ...ESTIMATE, policy: null });
  estimate.set({ ...ESTIMATE, policy: { ...report, state: "loading" } });
  estimate.set({ ...ESTIMATE, policy: report });
  estimate.set({ ...ESTIMATE, policy: { ...report, decided: 4 } });
  estimate.set({ ...ESTIMATE, policy: { ...report, trouble: "it gave no number", detail: "NaN" } });
  expect(reports.slice(before)).toEqual([
    { e: "ce", fields: { cen: "nuwa-policy", "nuwa-policy": "nuwa-rl" } },
    {
      e: "ce",
      fields: { cen: "nuwa-policy", "nuwa-policy": "nuwa-rl", "nuwa-reason": "it gave no number: NaN" },
    },
  ]);
});

test("a player that begins with the bitrate of the one before changes none", () => {
  const { reporter, reports } = film();
  for (const toBitsPerSecond of [1e6, 1e6, 2e6, 1e6]) reporter.switched({ toBitsPerSecond });
  expect(reports.flatMap(({ e, fields }) => (e === "bc" ? [fields.br] : []))).toEqual([1000, 2000, 1000]);
});
