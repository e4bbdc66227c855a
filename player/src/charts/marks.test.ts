import { expect, it } from "vitest";
import { type Mark, placeLabels } from "./marks.ts";

const mark = (atSeconds: number, label: string): Mark => ({ atSeconds, label, side: null });
const placed = (...marks: Mark[]) =>
  placeLabels(
    marks,
    { left: 0, width: 100 },
    { fromSeconds: 0, toSeconds: 100 },
    (text) => 10 * text.length,
    2,
  );

it("puts labels beside their lines, below each other where they would cover each other", () => {
  expect(
    placed(mark(10, "abc"), mark(20, "de"), mark(60, "f")).map(({ textX, row }) => [textX, row]),
  ).toEqual([
    [12, 0],
    [22, 1],
    [62, 0],
  ]);
});

it("puts a label left of its line where the chart ends, and leaves out what is not in sight", () => {
  expect(placed(mark(-5, "old"), mark(95, "new")).map(({ lineX, textX }) => [lineX, textX])).toEqual([
    [95, 63],
  ]);
});

it("leaves a mark without a label where all rows are taken, however many there are", () => {
  const marks = Array.from({ length: 50_000 }, () => ({ atSeconds: 1, label: "CUBIC", side: null }));
  const placed = placeLabels(marks, { left: 0, width: 400 }, { fromSeconds: 0, toSeconds: 10 }, () => 30, 4);
  expect(placed.slice(0, 4).map(({ row }) => row)).toEqual([0, 1, 2, null]);
  expect(placed).toHaveLength(50_000);
});
