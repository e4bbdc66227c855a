import { expect, test } from "vitest";
import { studentT } from "./student-t.ts";

// as tables have them, e.g. NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2 (two-sided)
test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [9, 2.262],
  [10, 2.228],
  [29, 2.045],
  [30, 2.042],
  [100, 1.984],
])("95 %% with %i degrees of freedom: %d", (degrees, tabulated) => {
  expect(studentT(0.95, degrees)).toBeCloseTo(tabulated, 3);
});

test.each([
  [0.9, 4, 2.132],
  [0.99, 2, 9.925],
  [0.99, 4, 4.604],
  [0.999, 10, 4.587],
])("confidence %d with %i degrees of freedom: %d", (confidence, degrees, tabulated) => {
  expect(studentT(confidence, degrees)).toBeCloseTo(tabulated, 3);
});

test("with many degrees it is nearly the normal distribution's", () => {
  // 1.9599640 (1 + (1.9599640^2 + 1) / (4 * 999)) = 1.96234, the first term of Abramowitz and Stegun's 26.7.5
  expect(studentT(0.95, 999)).toBeCloseTo(1.96234, 4);
});

test("what is no distribution is refused", () => {
  expect(() => studentT(0.95, 0)).toThrow("0 degrees of freedom");
  expect(() => studentT(0.95, 1.5)).toThrow("1.5 degrees of freedom");
  expect(() => studentT(1, 3)).toThrow("a confidence of 1");
});
