import { expect, it } from "vitest";
import { parseFrameRate } from "./frame-rate.ts";

it.each([
  ["23.98 fps, 23.98 tbr", 24_000, 1001, true],
  ["29.97 fps, 59.94 tbr", 30_000, 1001, true],
  ["29.98 fps, 29.97 tbr", 30_000, 1001, true],
  ["23.98 fps, 59.94 tbr", 24_000, 1001, true],
  ["59.94 fps", 60_000, 1001, true],
  ["119.88 fps", 60_000, 1001, true],
  ["30 fps, 30 tbr", 30, 1, true],
  ["25 fps, 90k tbr", 25, 1, true],
  ["29.82 fps, 90k tbr", 30, 1, true],
  ["50 fps, 25 tbr", 50, 1, true],
  ["120 fps", 60, 1, true],
  ["15 tbr", 15, 1, true],
  ["14.99 fps", 15, 1, true],
  ["", 25, 1, true],
  ["144 fps, 144 tbr", 48, 1, false],
  ["12.50 fps, 12.50 tbr", 25, 2, false],
  ["7.50 fps, 7.50 tbr", 15, 2, false],
  ["13.37 fps", 13_370, 1000, false],
  ["0.50 fps", 1, 1, false],
  ["0.20 fps, 0.40 tbr", 1, 1, false],
  ["6.10 fps, 60 tbr", 60, 1, false],
  ["27.30 fps, 30 tbr", 30, 1, false],
  ["27.30 fps, 120 tbr", 60, 1, false],
  ["27.30 fps, 90k tbr", 30, 1, false],
])("in %j is %d/%d, ordinary: %s", (line, numerator, denominator, isOrdinary) => {
  expect(parseFrameRate(line)).toEqual({ frameRate: { numerator, denominator }, isOrdinary });
});
