import { expect, it } from "vitest";
import { splitStale } from "./stale.ts";

it("draws what stands apart from what was measured, and joins them", () => {
  expect(splitStale([1, 2, 2, 2, 3, 4], [0, 0, 1, 1, 0, 0])).toEqual({
    fresh: [1, 2, null, 2, 3, 4],
    stale: [null, 2, 2, 2, null, null],
  });
});

it("leaves gaps, and ends stale where nothing is measured any more", () => {
  expect(splitStale([null, 5, 5, 5], [0, 0, 1, 1])).toEqual({
    fresh: [null, 5, null, null],
    stale: [null, 5, 5, 5],
  });
});
