import { expect, test } from "vitest";
import { type PlacedLabel, placeLabels } from "./place-labels.ts";

const PLOT = { width: 400, height: 300, fontSize: 12 };

function box({ x, y, text }: PlacedLabel) {
  return { left: x, right: x + text.length * 12 * 0.6, top: y - 7, bottom: y + 7 };
}

function overlaps(one: PlacedLabel, other: PlacedLabel): boolean {
  const [a, b] = [box(one), box(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

test("a label with room stands to the right of its point", () => {
  const [label] = placeLabels([{ x: 100, y: 100, text: "nuwa", radius: 5 }], PLOT);
  expect(label).toMatchObject({ y: 100, lead: null });
  expect(label?.x).toBeCloseTo(111, 6);
});

test("at the right edge it stands to the left", () => {
  const [label] = placeLabels([{ x: 390, y: 100, text: "nuwa", radius: 5 }], PLOT);
  expect((label as PlacedLabel).x + 4 * 12 * 0.6).toBeCloseTo(379, 6);
});

test("points close together have labels that do not cover one another, the far ones with a line", () => {
  const points = ["nuwa", "cubic", "newreno", "bbr", "copa", "pcc-vivace", "westwood", "illinois"].map(
    (text, index) => ({
      ...{ x: 200 + (index % 3) * 4, y: 150 + index, text, radius: 5 },
    }),
  );
  const labels = placeLabels(points, PLOT);
  expect(labels.map(({ text }) => text)).toEqual(points.map(({ text }) => text));
  for (const [index, one] of labels.entries()) {
    for (const other of labels.slice(index + 1))
      expect(overlaps(one, other), `${one.text} ${other.text}`).toBe(false);
  }
  expect(labels.some(({ lead }) => lead !== null)).toBe(true);
});

test("a label does not stand where it would be taken for another point's", () => {
  const [label] = placeLabels(
    [
      { x: 100, y: 100, text: "nuwa", radius: 5 },
      { x: 152, y: 100, text: "", radius: 5 },
    ],
    PLOT,
  );
  // the right side, 111 to 140, ends 12 pixels before the other point: far enough; before one at 149 it would not
  expect(label?.x).toBeCloseTo(111, 6);
  const [moved] = placeLabels(
    [
      { x: 100, y: 100, text: "nuwa", radius: 5 },
      { x: 149, y: 100, text: "", radius: 5 },
    ],
    PLOT,
  );
  expect((moved as PlacedLabel).x).toBeLessThan(100);
});

test("a label finds another place for a longer one that comes after it, and covers no obstacle", () => {
  const points = [
    { x: 60, y: 100, text: "nuwa", radius: 5 },
    { x: 100, y: 112, text: "a-scheme-with-a-long-name", radius: 5 },
  ];
  const [one, other] = placeLabels(points, { ...PLOT, width: 290 }) as [PlacedLabel, PlacedLabel];
  expect(overlaps(one, other)).toBe(false);
  const obstacles = [{ left: 66, top: 90, right: 120, bottom: 110 }];
  const [moved] = placeLabels(points.slice(0, 1), { ...PLOT, obstacles });
  expect((moved as PlacedLabel).x + 4 * 12 * 0.6).toBeCloseTo(49, 6); // to the left: 60 - 5 - 6
});

test("a larger mark keeps its label farther away", () => {
  const [label] = placeLabels([{ x: 100, y: 100, text: "nuwa", radius: 9 }], PLOT);
  expect(label?.x).toBeCloseTo(115, 6);
});
