import { expect, test } from "vitest";
import { nestMarks } from "./nest-marks.ts";

test("marks apart have one size", () => {
  expect(
    nestMarks([
      { x: 10, y: 10 },
      { x: 30, y: 10 },
    ]),
  ).toEqual([9.5, 9.5]);
});

test("of marks in one place each lies in a larger one", () => {
  expect(
    nestMarks([
      { x: 10, y: 10 },
      { x: 12, y: 10 },
      { x: 80, y: 10 },
      { x: 10, y: 13 },
    ]),
  ).toEqual([9.5, 17.5, 9.5, 25.5]);
});

test("there is an end to growing", () => {
  const sides = nestMarks(Array.from({ length: 20 }, () => ({ x: 0, y: 0 })));
  expect(Math.max(...sides)).toBe(49.5);
});
