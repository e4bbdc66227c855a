import { expect, it } from "vitest";
import { sessionCsv } from "./csv.ts";
import type { SessionMoment } from "./session-moment.ts";
import { SessionRows } from "./session-rows.ts";

const snapshot = (atMs: number, more: object = {}): SessionMoment =>
  ({
    atMs,
    choices: { scheme: "nuwa", preset: "live", rule: "bola", estimator: "receiver" },
    estimate: null,
    dashjsBitsPerSecond: null,
    playedBitsPerSecond: null,
    bufferSeconds: 0,
    currentSeconds: 0,
    stallCount: 0,
    stalledMs: 0,
    path: null,
    link: null,
    video: null,
    ...more,
  }) as unknown as SessionMoment;

const cells = (rows: SessionRows): Record<string, string>[] => {
  const [head = "", ...lines] = sessionCsv(rows).trimEnd().split("\r\n");
  const names = head.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((cell, place) => [names[place] ?? "", cell])),
  );
};

it("has a row for each moment, with what held then", () => {
  const rows = new SessionRows();
  rows.add(snapshot(1000), null);
  rows.add(
    snapshot(1250, {
      choices: { scheme: "cubic", preset: "live", rule: "bola", estimator: "dashjs" },
      estimate: {
        queueingDelaySeconds: 0.0425,
        targetDelaySeconds: null,
        hostLateSeconds: 0,
        windowBytes: 12_000,
      },
      video: { widthPixels: 1280, heightPixels: 720, frames: 30, droppedFrames: 2 },
      link: { name: "my trace" },
      path: { kind: "http", reason: null },
    }),
    12e6,
  );
  const [first, second] = cells(rows);
  expect(first).toMatchObject({
    at_ms: "1000",
    scheme: "nuwa",
    link: "",
    queueing_delay_ms: "",
    over_http: "0",
  });
  expect(second).toMatchObject({
    at_ms: "1250",
    scheme: "cubic",
    estimator: "dashjs",
    link: "my trace",
    link_bits_per_s: "12000000",
    queueing_delay_ms: "42.5",
    target_delay_ms: "",
    window_bytes: "12000",
    width_px: "1280",
    dropped_frames: "2",
    over_http: "1",
  });
});

it("notes changes only", () => {
  const rows = new SessionRows();
  for (const atMs of [1000, 1250, 1500]) {
    rows.add(snapshot(atMs), null);
  }
  expect(rows.changes).toHaveLength(1);
  expect(rows.changeAt(999)).toBeNull();
});

it("leaves out what was before there were choices", () => {
  const rows = new SessionRows();
  rows.add(snapshot(1000, { choices: null }), null);
  expect(rows.table.seconds).toEqual([]);
});
