import { expect, test } from "vitest";
import { jainIndex } from "./jain.ts";

test("1 where all get the same, 1/n where one gets all", () => {
  expect(jainIndex([3, 3, 3])).toBe(1);
  expect(jainIndex([0, 0, 0, 8])).toBe(0.25);
});

test("two flows, one with three times the other's", () => {
  // (1 + 3)^2 / (2 * (1 + 9)) = 16 / 20
  expect(jainIndex([1, 3])).toBe(0.8);
});

test("nobody gets anything", () => {
  expect(jainIndex([0, 0])).toBeNull();
});
