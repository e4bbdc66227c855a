import { expect, test } from "vitest";
import { centreOf, confidenceEllipse } from "./ellipse.ts";

// Five points on the axes: mean 0, variance of x (4 + 4) / 4 = 2, of y (1 + 1) / 4 = 0.5, covariance 0
const POINTS = [
  { x: 2, y: 0 },
  { x: -2, y: 0 },
  { x: 0, y: 1 },
  { x: 0, y: -1 },
  { x: 0, y: 0 },
];
// F(2, 3) at 95 % is 9.552 (tables); T^2 = 4 * 2 / 3 * 9.552 = 25.47; / 5 = 5.094, root 2.257
const RADIUS = 2.257;

test("the radius is Hotelling's", () => {
  const ellipse = confidenceEllipse(POINTS) ?? [];
  expect(Math.max(...ellipse.map(({ x }) => x))).toBeCloseTo(RADIUS * Math.SQRT2, 2);
  expect(Math.max(...ellipse.map(({ y }) => y))).toBeCloseTo(RADIUS * Math.sqrt(0.5), 2);
});

test("points on a line give a line", () => {
  const line = [1, 2, 3, 4].map((at) => ({ x: at, y: 2 * at }));
  for (const { x, y } of confidenceEllipse(line) ?? []) expect(y).toBeCloseTo(2 * x, 9);
});

test("equal points give a point, and two are too few", () => {
  const same = [1, 2, 3].map(() => ({ x: 7, y: 9 }));
  for (const point of confidenceEllipse(same) ?? []) expect(point).toEqual({ x: 7, y: 9 });
  expect(confidenceEllipse(POINTS.slice(0, 2))).toBeNull();
  expect(() => centreOf([])).toThrow(RangeError);
});
