import { expect, it } from "vitest";
import {
  AGES,
  ageMarks,
  ageText,
  clearLabels,
  ELAPSED,
  logMarks,
  logTop,
  roundTop,
  ruledTop,
} from "./scale.ts";

it.each([
  [0.4, 1, 1],
  [11.2, 1, 20],
  [20, 1, 20],
  [20.1, 1, 30],
  [287, 10, 300],
  [0.03, 0.01, 0.03],
  [null, 12, 20],
])("ends the axis for %s, at least %s, at %s", (highest, least, top) => {
  expect(roundTop(highest, least)).toBeCloseTo(top, 12);
});

it("ends an axis by the link, where there is one, and cuts a spike above it", () => {
  expect(ruledTop([null, 24, 2], 49.6, 2)).toBe(30);
  expect(ruledTop([null], 49.6, 2)).toBe(60);
});

it("ends an axis above its highest line", () => {
  expect(ruledTop([], 8, 2)).toBe(10);
  expect(ruledTop([], null, 2)).toBe(2);
});

it("tells ages", () => {
  expect(ageText(0.2)).toBe("now");
  expect(ageText(15)).toBe("−15 s");
  expect(ageText(120)).toBe("−2 min");
  expect(ageText(90)).toBe("−1:30 min");
});

it("writes few ages under a chart, whatever its span", () => {
  expect(ageMarks(60)).toEqual([60, 45, 30, 15, 0]);
  expect(ageMarks(300)).toEqual([300, 240, 180, 120, 60, 0]);
  expect(ageMarks(700)).toEqual([600, 300, 0]);
});

it("marks a logarithmic axis as far as it reaches", () => {
  expect(logMarks(100)).toEqual([0, 20, 100]);
  expect([logTop(null, 100), logTop(101, 100), logTop(1e6, 100)]).toEqual([100, 500, 1e6]);
  expect(logMarks(3000)).toEqual([0, 20, 100, 500, 2000]);
});

it("leaves out labels that would touch the one before", () => {
  expect(clearLabels([62, 52, 40, 30, 0], 11)).toEqual([true, false, true, false, true]);
  expect(clearLabels([], 11)).toEqual([]);
});

it("counts what goes on back from now, and what is over on from its beginning", () => {
  const span = { fromSeconds: 20, toSeconds: 80 };
  expect(AGES.marks(span).map((at) => AGES.text(at, 80))).toEqual([
    "−60 s",
    "−45 s",
    "−30 s",
    "−15 s",
    "now",
  ]);
  expect(ELAPSED.marks(span).map((at) => ELAPSED.text(at, 80))).toEqual(["0:30", "0:45", "1:00", "1:15"]);
  expect(ELAPSED.text(3723, 3723)).toBe("1:02:03");
});

it("marks seconds where what is over was short", () => {
  const marksUntil = (toSeconds: number) =>
    ELAPSED.marks({ fromSeconds: 0, toSeconds }).map((at) => ELAPSED.text(at, toSeconds));
  expect(marksUntil(5)).toEqual(["0:00", "0:01", "0:02", "0:03", "0:04", "0:05"]);
  expect(marksUntil(8.4)).toEqual(["0:00", "0:02", "0:04", "0:06", "0:08"]);
  expect(marksUntil(24)).toEqual(["0:00", "0:05", "0:10", "0:15", "0:20"]);
  expect(ELAPSED.marks({ fromSeconds: -60, toSeconds: 0 })).toEqual([0]);
  expect(marksUntil(60)).toEqual(["0:00", "0:15", "0:30", "0:45", "1:00"]);
});
