import { expect, it } from "vitest";
import { sampleStored } from "./sample-stored.ts";
import { sessionSeries } from "./session-series.ts";

it("counts seconds from the wish to play, in the charts' units", () => {
  const { samples, durationSeconds } = sessionSeries([
    sampleStored({ ts: 9_000, e: "ce", cen: "nuwa-choices", "nuwa-scheme": "nuwa", "nuwa-rule": "nuwa" }),
    sampleStored({ ts: 10_000, e: "ps", sta: "s" }),
    sampleStored({ ts: 15_000, e: "t", mtp: 4200, "nuwa-qd": 31.5, "nuwa-td": 60, bl: 8100, pb: 2500 }),
    sampleStored({ ts: 17_500, e: "ps", sta: "e" }),
  ]);
  expect(samples).toEqual([
    { atSeconds: 5, estimate: 4.2, delay: 31.5, target: 60, buffer: 8.1, bitrate: 2.5 },
  ]);
  expect(durationSeconds).toBe(7.5);
});

it("tells what was not reported as null, and a film that never began from its first event", () => {
  const { samples } = sessionSeries([
    sampleStored({ ts: 10_000, e: "ce", cen: "nuwa-path", "nuwa-path": "http" }),
    sampleStored({ ts: 12_000, e: "t", bl: 0 }),
  ]);
  expect(samples).toEqual([
    { atSeconds: 2, estimate: null, delay: null, target: null, buffer: 0, bitrate: null },
  ]);
});

it("finds each stall by its end, and what was chosen anew", () => {
  const { stalls, changes } = sessionSeries([
    sampleStored({ ts: 10_000, e: "ps", sta: "s" }),
    sampleStored({ ts: 10_001, e: "ce", cen: "nuwa-choices", "nuwa-scheme": "nuwa", "nuwa-rule": "nuwa" }),
    sampleStored({ ts: 20_000, e: "ps", sta: "r", bs: true, bsa: 1 }),
    sampleStored({ ts: 21_500, e: "ps", sta: "p", bsd: 1500, bsda: 1500 }),
    sampleStored({ ts: 25_000, e: "ce", cen: "nuwa-choices", "nuwa-scheme": "cubic", "nuwa-rule": "nuwa" }),
  ]);
  expect(stalls).toEqual([{ fromSeconds: 10, toSeconds: 11.5 }]);
  expect(changes).toEqual([{ atSeconds: 15, scheme: "cubic", preset: null, rule: null, estimator: null }]);
});

it("tells a preset and an estimator that were chosen anew", () => {
  const chosen = { e: "ce", cen: "nuwa-choices", "nuwa-scheme": "nuwa", "nuwa-rule": "nuwa" } as const;
  const { changes } = sessionSeries([
    sampleStored({ ...chosen, ts: 10_000, "nuwa-preset": "on-demand", "nuwa-estimator": "receiver" }),
    sampleStored({ ...chosen, ts: 12_000, "nuwa-preset": "low-latency", "nuwa-estimator": "receiver" }),
    sampleStored({ ...chosen, ts: 13_000, "nuwa-preset": "low-latency", "nuwa-estimator": "dashjs" }),
  ]);
  expect(changes).toEqual([
    { atSeconds: 2, scheme: null, preset: "low-latency", rule: null, estimator: null },
    { atSeconds: 3, scheme: null, preset: null, rule: null, estimator: "dashjs" },
  ]);
});

it("draws stalls of players that tell no lengths by their states", () => {
  const { stalls } = sessionSeries([
    sampleStored({ ts: 10_000, e: "ps", sta: "s" }),
    sampleStored({ ts: 12_000, e: "ps", sta: "r" }),
    sampleStored({ ts: 14_000, e: "t", sta: "r" }),
    sampleStored({ ts: 15_000, e: "ps", sta: "f" }),
    sampleStored({ ts: 16_000, e: "ps", sta: "p" }),
    sampleStored({ ts: 20_000, e: "ps", sta: "r" }),
    sampleStored({ ts: 21_000, e: "ps", sta: "q" }),
  ]);
  expect(stalls).toEqual([
    { fromSeconds: 2, toSeconds: 6 },
    { fromSeconds: 10, toSeconds: 11 },
  ]);
});

it("draws a stall that never ended until the last report", () => {
  const { stalls } = sessionSeries([
    sampleStored({ ts: 10_000, e: "ps", sta: "s" }),
    sampleStored({ ts: 12_000, e: "ps", sta: "p", bsd: 500, bsda: 500 }),
    sampleStored({ ts: 20_000, e: "ps", sta: "r", bs: true, bsa: 2 }),
    sampleStored({ ts: 50_000, e: "t", sta: "r", bl: 0 }),
  ]);
  expect(stalls).toEqual([
    { fromSeconds: 1.5, toSeconds: 2 },
    { fromSeconds: 10, toSeconds: 40 },
  ]);
});

it("has nothing of a session without events", () => {
  expect(sessionSeries([])).toEqual({ samples: [], stalls: [], changes: [], durationSeconds: 0 });
});
