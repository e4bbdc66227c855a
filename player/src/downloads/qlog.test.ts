import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { StampRecord } from "../session/stamp-record.ts";
import { headOf, ofChange, ofStall, ofStamp, ofSwitch, type QlogEvent, sessionQlog } from "./qlog.ts";

interface Vectors {
  readonly head: object;
  readonly events: readonly { readonly name: string; readonly event: QlogEvent }[];
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../transport/wire_format/testdata/qlog.json", import.meta.url), "utf8"),
) as Vectors;
const event = (name: string): QlogEvent => {
  const found = vectors.events.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`the vectors have no "${name}"`);
  }
  return found.event;
};

const STAMP: StampRecord = {
  receivedAtMs: 1700000000123.5,
  lateMs: 0,
  sequence: 41,
  epoch: 2,
  phase: 1,
  sendTimeUs: 5,
  bytesSent: 6,
  packetsSent: 7,
  smoothedRttMs: 81.5,
  cwndBytes: 144_000,
  oneWayQueueingDelayMs: 44.25,
  queueingDelayMs: 41.5,
  windowBytes: 150_000,
  endSlowStart: false,
  bandwidthBitsPerSecond: 23_500_000,
  k: 7,
};
const CHANGE = {
  atMs: 1700000000000,
  scheme: "nuwa",
  preset: "on-demand",
  rule: "nuwa",
  estimator: "receiver",
  link: "lte-like",
};

it("writes the shared vocabulary", () => {
  expect(headOf("nuwa, on-demand")).toEqual(vectors.head);
  expect(ofStamp(STAMP, 40)).toEqual([event("receiver, all known"), event("what QUIC's own vocabulary has")]);
  expect(ofChange(CHANGE)).toEqual(event("the viewer chose"));
  const to = event("another representation");
  expect(
    ofSwitch({
      atMs: to.time,
      fromBitsPerSecond: 1_200_000,
      toBitsPerSecond: 2_500_000,
      rule: "nuwa",
      decidedBy: "nuwa",
      reason: null,
    }),
  ).toEqual(to);
  const stall = event("a stall, when it is over");
  expect(ofStall({ startedAtMs: stall.time - 250, durationMs: 250 })).toEqual(stall);
});

it("leaves out what is not known", () => {
  const blank = event("receiver, under a sender-side scheme before anything is measured");
  const stamp: StampRecord = {
    ...STAMP,
    receivedAtMs: blank.time,
    lateMs: 3,
    sequence: 0,
    epoch: 0,
    phase: 0,
    smoothedRttMs: null,
    oneWayQueueingDelayMs: 0,
    queueingDelayMs: 0,
    windowBytes: 12_000,
    bandwidthBitsPerSecond: null,
    k: null,
  };
  expect(ofStamp(stamp, null)[0]).toEqual(blank);
});

it("is a sequence of JSON texts in the order of time", () => {
  const text = sessionQlog({
    title: "t",
    stamps: [STAMP],
    switches: [],
    stalls: [],
    changes: [CHANGE],
    targetDelayMsAt: () => 40,
  });
  const records = text.split("\u001e").slice(1);
  expect(records.every((record) => record.endsWith("\n"))).toBe(true);
  const events = records.slice(1).map((record) => JSON.parse(record) as QlogEvent);
  expect(events.map(({ name }) => name)).toEqual([
    "nuwa:choice_changed",
    "nuwa:receiver_updated",
    "recovery:metrics_updated",
  ]);
});
