import { expect, test } from "vitest";
import { parseLinkLog } from "../link/log.ts";
import type { JobResult, StampRecord } from "../page-process/job.ts";
import type { SchemeDecisions } from "./decisions.ts";
import { estimateError, measureCell } from "./metrics.ts";
import FILM_BUNDLE from "./testdata/bundle.json" with { type: "json" };

const STARTED_AT_MS = 1_795_255_475_000;

/** Two seconds: an opportunity every 10 ms, all used in the first second, none in the second. */
function busyThenIdle(): string {
  const lines = [
    "# queue: droptail [packets=300]",
    `# init timestamp: ${STARTED_AT_MS}`,
    "# base timestamp: 0",
  ];
  for (let atMs = 0; atMs < 2000; atMs += 10) {
    lines.push(`${atMs} # 1504`);
    if (atMs < 1000) lines.push(`${atMs} + 1504`, `${atMs} - 1504 ${atMs % 100 < 50 ? 10 : 20}`);
  }
  return `${lines.join("\n")}\n`;
}

// 100 opportunities of 1504 bytes a second, of which 1472 are UDP payload
const CAPACITY = 100 * 1504 * 8;
const PAYLOAD_CAPACITY = 100 * 1472 * 8;

function stamp(afterMs: number, oneWayQueueingDelayMs: number, bandwidthBitsPerSecond: number): StampRecord {
  return {
    ...{ receivedAtMs: STARTED_AT_MS + afterMs, lateMs: 0, oneWayQueueingDelayMs, bandwidthBitsPerSecond },
    ...{ queueingDelayMs: oneWayQueueingDelayMs, sequence: 0, epoch: 0, phase: 1, sendTimeUs: 0 },
    ...{ bytesSent: 0, packetsSent: 0, smoothedRttMs: null, cwndBytes: 0, windowBytes: 0 },
    ...{ endSlowStart: false, k: 7 },
  };
}

const result: JobResult = {
  browserVersion: "Chrome/1",
  problems: [],
  openedAtMs: STARTED_AT_MS - 500,
  page: {
    kind: "bulk",
    download: {
      bytes: 150_400,
      startedAtMs: STARTED_AT_MS,
      firstByteAtMs: STARTED_AT_MS + 10,
      endedAtMs: STARTED_AT_MS + 1000,
      megabitsPerSecond: 1.2,
    },
    // The link's delay is 10 ms in the first 50 ms and 20 ms in the next
    records: {
      estimates: [],
      stamps: [stamp(5, 11, PAYLOAD_CAPACITY), stamp(25, 13, PAYLOAD_CAPACITY), stamp(60, 16, CAPACITY)],
    },
  },
};

test("a download is measured from its request to its last byte", () => {
  const metrics = measureCell({
    result,
    log: parseLinkLog(busyThenIdle()),
    serverCpuSeconds: 0.5,
    browserTimes: [],
  });
  expect(metrics.window).toEqual({ fromMs: STARTED_AT_MS, toMs: STARTED_AT_MS + 1000 });
  expect(metrics.goodputMegabitsPerSecond).toBe(1.2);
  expect(metrics.link).toMatchObject({ queueingDelayMeanMs: 15, queueingDelayMaxMs: 20, utilisation: 1 });
  expect(metrics.page).toMatchObject({ maxMs: 16, stamps: 3 });
  expect(metrics.serverCpuSeconds).toBe(0.5);
  expect([metrics.qoe, metrics.playback, metrics.dashjsEstimate]).toEqual([null, null, null]);
});

test("the page's delay is held against the link's in bins of 50 ms", () => {
  const metrics = measureCell({
    result,
    log: parseLinkLog(busyThenIdle()),
    serverCpuSeconds: null,
    browserTimes: [],
  });
  // bins: mean of 11 and 13 against 10, then 16 against 20: errors 2 and 4
  expect(metrics.pageDelayErrorMs).toBeCloseTo(3, 9);
});

test("an estimate is judged only in seconds in which the link was in use", () => {
  const log = parseLinkLog(busyThenIdle());
  const window = { fromMs: STARTED_AT_MS, toMs: STARTED_AT_MS + 2000 };
  const estimates = [
    { atMs: STARTED_AT_MS + 100, value: null },
    { atMs: STARTED_AT_MS + 500, value: 1.1 * PAYLOAD_CAPACITY },
    { atMs: STARTED_AT_MS + 1500, value: 9 * CAPACITY },
  ];
  const error = estimateError(estimates, log, window);
  expect(error?.seconds).toBe(1);
  expect(error?.ofPayloadCapacity).toBeCloseTo(0.1, 9);
  // 1.1 * 1472 / 1504 - 1
  expect(error?.ofLinkCapacity).toBeCloseTo(0.0766, 4);
  expect(estimateError([], log, window)).toBeNull();
});

test("without a link there is nothing to hold the page against", () => {
  const metrics = measureCell({ result, log: null, serverCpuSeconds: null, browserTimes: [] });
  expect([metrics.link, metrics.pageDelayErrorMs, metrics.receiverEstimate]).toEqual([null, null, null]);
});

/** Two segments of a second, the second one late by half a second. */
const film: JobResult = {
  browserVersion: "Chrome/1",
  problems: [],
  openedAtMs: STARTED_AT_MS,
  page: {
    kind: "film",
    playback: {
      navigatedAtMs: STARTED_AT_MS,
      firstFrameAtMs: STARTED_AT_MS + 200,
      samples: [
        [200, 0],
        [700, 0.5],
        [1200, 0.5],
        [1700, 1],
        [2000, 1.3],
      ].map(([afterMs = 0, mediaSeconds = 0]) => ({
        ...{ atMs: STARTED_AT_MS + afterMs, mediaSeconds },
        ...{ bufferSeconds: 0.25, videoHeight: 720, isEnded: false },
      })),
    },
    records: {
      estimates: [100, 1100].map((afterMs) => ({
        ...{ atMs: STARTED_AT_MS + afterMs, receiverBitsPerSecond: 1.1 * PAYLOAD_CAPACITY },
        ...{ dashjsBitsPerSecond: null, deliveredBitsPerSecond: 0, bufferSeconds: 1 },
        ...{ queueingDelayMs: 0, hostLateMs: 2 },
      })),
      segments: [0, 1].map((index) => ({
        ...{ mediaType: "video", index, startSeconds: index, durationSeconds: 1 },
        ...{ bitsPerSecond: (index + 1) * 1e6, bytes: (index + 1) * 125_000 },
        ...{ requestedAtMs: STARTED_AT_MS, firstByteAtMs: null, endedAtMs: STARTED_AT_MS + 100, silentMs: 0 },
      })),
      stamps: [stamp(5, 11, PAYLOAD_CAPACITY), stamp(25, 13, 1.1 * PAYLOAD_CAPACITY)],
      ...{ switches: [], stalls: [] },
    },
    snapshot: null,
  },
};

test("what a film leaves is the example that the laboratory reads", () => {
  const metrics = measureCell({
    result: film,
    log: parseLinkLog(busyThenIdle()),
    serverCpuSeconds: 0.25,
    browserTimes: [],
  });
  const decisions: SchemeDecisions[] = [
    { scheme: "owl", isLoaded: true, decisions: 9, answered: 8, late: 1, failed: 0 },
  ];
  expect(JSON.parse(JSON.stringify({ metrics, decisions }))).toEqual(FILM_BUNDLE);
});
