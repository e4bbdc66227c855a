import { expect, test } from "vitest";
import { type Drawing, frameOf, fromPixels, toPixels } from "./scatter-frame.ts";

test("points have a tenth of their range around them, and more above", () => {
  // 10 to 100 ms: 1 in logarithms; 20 to 24 Mbit/s: 4
  const frame = frameOf(
    [
      { x: 1, y: 20 },
      { x: 2, y: 24 },
    ],
    [],
  );
  expect(frame.x[0]).toBeCloseTo(0.9, 9);
  expect(frame.x[1]).toBeCloseTo(2.1, 9);
  expect(frame.y[0]).toBeCloseTo(19.6, 9);
  expect(frame.y[1]).toBeCloseTo(24.48, 9);
});

test("the axis begins at 0 where the least is far below the most", () => {
  expect(
    frameOf(
      [
        { x: 1, y: 5 },
        { x: 2, y: 24 },
      ],
      [],
    ).y[0],
  ).toBe(0);
});

test("an ellipse widens the frame by no more than half the points' range", () => {
  const points = [
    { x: 1, y: 20 },
    { x: 2, y: 24 },
  ];
  const [wide, tight] = [frameOf(points, [{ x: 9, y: 99 }]), frameOf(points, [{ x: 2.2, y: 24 }])];
  expect(wide.x[1]).toBeCloseTo(2.5 + 0.15, 9);
  expect(tight.x[1]).toBeCloseTo(2.2 + 0.12, 9);
});

test("equal points have a frame, too", () => {
  const { x, y } = frameOf([{ x: 1, y: 24 }], []);
  expect(x[1] - x[0]).toBeGreaterThan(0);
  expect(y[1] - y[0]).toBeGreaterThan(0);
});

test("a point has its place in the drawing, to the right where its delay is short", () => {
  const drawing: Drawing = { frame: { x: [0, 2], y: [0, 20] }, width: 200, height: 100 };
  expect(toPixels({ x: 0.5, y: 15 }, drawing)).toEqual({ x: 150, y: 25 });
  expect(fromPixels({ x: 150, y: 25 }, drawing)).toEqual({ x: 0.5, y: 15 });
});
