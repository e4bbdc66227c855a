import { expect, it } from "vitest";
import { bothRows } from "./both-rows.ts";
import type { SessionSample, SessionSeries } from "./session-series.ts";

const sample = (atSeconds: number, delay: number, bitrate: number): SessionSample => ({
  atSeconds,
  estimate: 5,
  delay,
  target: null,
  buffer: 10,
  bitrate,
});

const series = (durationSeconds: number, ...samples: SessionSample[]): SessionSeries => ({
  samples,
  stalls: [],
  changes: [],
  durationSeconds,
});

it("draws lines from one report to the next, and holds what was on the screen", () => {
  const rows = bothRows({
    left: series(10, sample(0, 20, 1), sample(10, 40, 3)),
    right: series(5, sample(5, 9, 1)),
  });
  expect(rows.map(({ atSeconds }) => atSeconds)).toEqual([0, 5, 10]);
  expect(rows[1]?.row).toMatchObject({ "left-delay": 30, "left-bitrate": 1, "left-target": null });
  expect(rows[2]?.row).toMatchObject({ "left-delay": 40, "left-bitrate": 3, "right-delay": null });
});

it("lasts as long as the longer session, and has nothing of the shorter one after its end", () => {
  const rows = bothRows({
    left: series(3, sample(0, 1, 1), sample(3, 1, 1)),
    right: series(6, sample(1, 9, 1), sample(6, 9, 1)),
  });
  expect(rows.map(({ atSeconds }) => atSeconds)).toEqual([0, 1, 3, 6]);
  expect(rows.map(({ row }) => row["left-delay"])).toEqual([1, 1, 1, null]);
  expect(rows.map(({ row }) => row["right-delay"])).toEqual([null, 9, 9, 9]);
});

it("leaves a gap where reports are missing", () => {
  const rows = bothRows({
    left: series(30, sample(0, 1, 1), sample(30, 1, 1)),
    right: series(20, sample(12, 1, 1), sample(20, 1, 1)),
  });
  expect(rows.map(({ row }) => row["left-delay"])).toEqual([null, null, null, 1]);
});

it("ends with the last report, wherever in a second it came", () => {
  const rows = bothRows({ left: series(5.4, sample(5.3, 7, 1)), right: null });
  expect(rows.map(({ atSeconds }) => atSeconds)).toEqual([0, 5.3, 5.4]);
  expect(rows.at(-1)?.row["left-delay"]).toBe(7);
});

it("has a row a report, however long a session claims to be", () => {
  const rows = bothRows({ left: series(8.64e12, sample(1, 7, 1), sample(8.64e12, 7, 1)), right: null });
  expect(rows.map(({ atSeconds }) => atSeconds)).toEqual([0, 1, 8.64e12]);
});

it("takes time in proportion to the reports: as many as are read of a session are no wait", () => {
  const long = series(99_999, ...Array.from({ length: 100_000 }, (_, place) => sample(place, 7, 1)));
  expect(bothRows({ left: long, right: long })).toHaveLength(100_000);
});

it("has no rows of sessions without reports", () => {
  expect(bothRows({ left: series(0), right: null })).toEqual([]);
});

it("has the last report of the shorter session, too", () => {
  const rows = bothRows({ left: series(5.4, sample(5.3, 7, 1)), right: series(5.8, sample(5.7, 9, 1)) });
  expect(rows.map(({ atSeconds }) => atSeconds)).toEqual([0, 5.3, 5.4, 5.7, 5.8]);
  expect(rows[2]?.row).toMatchObject({ "left-delay": 7, "right-delay": null });
  expect(rows.at(-1)?.row).toMatchObject({ "left-delay": null, "right-delay": 9 });
});
