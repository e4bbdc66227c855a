import { expect, test } from "vitest";
import type { Cell } from "../cell/run-cell.ts";
import { type Figure, titleOf } from "./benchmark.ts";
import {
  atLeast,
  atMost,
  differences,
  isReached,
  meanFigure,
  medianFigure,
  ratios,
  totalFigure,
  valuesOf,
} from "./figures.ts";
import { formatTable } from "./table.ts";

const ratio: Figure = medianFigure(
  "goodput, ours / theirs",
  ratios([22, 21, 10], [20, 21, 20]),
  "",
  atLeast(0.99),
);

test("arms are compared repeat by repeat", () => {
  expect(ratio.samples).toEqual([1.1, 1, 0.5]);
  expect(ratio.value).toBe(1);
  expect(differences([3, 5], [1, 6])).toEqual([2, -1]);
  expect(() => ratios([3, 5], [1])).toThrow("2 values of one arm, 1 of the other");
});

test("a total counts the repeats, and is not reached where one was not measured", () => {
  expect(totalFigure("runs", [1, 0, 1], "", atMost(0)).value).toBe(2);
  expect(isReached(totalFigure("runs", [0, 0], "", atMost(0)))).toBe(true);
  expect(isReached(totalFigure("runs", [0, null], "", atMost(0)))).toBe(false);
});

test("a repeat that one arm lacks is compared with nothing, and the others keep their partners", () => {
  const compared = ratios([22, null, 10, 8], [20, 21, 20, null]);
  expect(compared).toEqual([1.1, null, 0.5, null]);
  expect(differences([3, null, 5], [1, 2, 9])).toEqual([2, null, -4]);
  expect(medianFigure("ratio", compared).value).toBeCloseTo(0.8); // of 1.1 and 0.5
  const metrics = [12, null, 14].map(
    (serverCpuSeconds) => ({ bundle: { metrics: { serverCpuSeconds } } }) as Cell,
  );
  expect(valuesOf(metrics, ({ serverCpuSeconds }) => serverCpuSeconds)).toEqual([12, null, 14]);
});

test("a goal without a value is missed, and the table says so", () => {
  const nothing = medianFigure("error", [null, null], "%", atMost(5));
  expect(isReached(nothing)).toBe(false);
  expect(formatTable([nothing]).split("\n")[2]).toBe(
    "| error | nothing  | none, none  | at most 5.00 | MISSED (no value) |",
  );
});

test("what one repeat lacks is not reached by the others", () => {
  for (const summarised of [meanFigure, medianFigure]) {
    const lacking = summarised("goodput", [7, null, 9], "Mbit/s", atLeast(5));
    expect(lacking.value).toBeNull();
    expect(isReached(lacking)).toBe(false);
    expect(summarised("goodput", [7, null, 9], "Mbit/s").value).toBe(8);
  }
});

test.each([
  ["at least", 1, true],
  ["at least", 1.1, false],
  ["at most", 1, true],
  ["at most", 0.9, false],
  ["above", 1, false],
  ["above", 0.9, true],
] as const)("1 is %s %d: %s", (comparison, value, expected) => {
  expect(isReached({ ...ratio, reach: { comparison, value } })).toBe(expected);
});

test("a figure that all but reaches its goal does not read as the goal", () => {
  const close = meanFigure("data", [0.98992], "", atLeast(0.99));
  expect(formatTable([close]).split("\n")[2]).toBe(
    "| data | 0.9899   | 0.990       | at least 0.990 | MISSED |",
  );
});

test("the title names the preset that Nuwa was run with", () => {
  const summary = "30 MB over LTE: Nuwa (preset bulk) beside CUBIC";
  expect(titleOf({ summary }, null)).toBe(summary);
  expect(titleOf({ summary }, "on-demand")).toBe("30 MB over LTE: Nuwa (preset on-demand) beside CUBIC");
  expect(titleOf({ summary: "60 s of film" }, "live")).toBe("60 s of film; preset live");
});

test("the table shows value, samples, goal and verdict", () => {
  const shown = meanFigure("delay", [10, 20], "ms");
  const missed = meanFigure("error", [7.25], "%", atMost(5));
  expect(formatTable([ratio, shown, missed])).toBe(
    [
      "| what                   | measured | each repeat       | to reach       |         |",
      "| ---------------------- | -------- | ----------------- | -------------- | ------- |",
      "| goodput, ours / theirs | 1.00     | 1.10, 1.00, 0.500 | at least 0.990 | reached |",
      "| delay                  | 15.0 ms  | 10.0, 20.0        |                |         |",
      "| error                  | 7.25 %   | 7.25              | at most 5.00   | MISSED  |",
      "",
    ].join("\n"),
  );
});
