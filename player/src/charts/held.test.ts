import { expect, it } from "vitest";
import { splitHeld } from "./held.ts";

it("draws what was held apart from what was measured, and joins them", () => {
  expect(splitHeld([1, 2, 2, 2, 3, 4], [0, 0, 1, 1, 0, 0])).toEqual({
    live: [1, 2, null, 2, 3, 4],
    held: [null, 2, 2, 2, null, null],
  });
});

it("leaves gaps, and ends held where nothing is measured any more", () => {
  expect(splitHeld([null, 5, 5, 5], [0, 0, 1, 1])).toEqual({
    live: [null, 5, null, null],
    held: [null, 5, 5, 5],
  });
});
