import { expect, it } from "vitest";
import { ageText, roundTop } from "./scale.ts";

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

it("tells ages", () => {
  expect(ageText(0.2)).toBe("now");
  expect(ageText(15)).toBe("−15 s");
});
