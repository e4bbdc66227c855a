import { expect, test } from "vitest";
import { cutWindow, formatOpportunities, parseOpportunities, startOfSeed } from "./trace-window.ts";

// two opportunities in 5 ms, then again
const TRACE = [2, 5];

test("a window in the trace begins anew at 0", () => {
  expect(cutWindow(TRACE, { fromMs: 0, lengthMs: 5 })).toEqual([2, 5, 6]);
  expect(cutWindow(TRACE, { fromMs: 3, lengthMs: 10 })).toEqual([2, 4, 7, 9, 11]); // of 5, 7, 10, 12
});

test("a window before the trace's beginning has its end", () => {
  expect(cutWindow(TRACE, { fromMs: -4, lengthMs: 6 })).toEqual([1, 4, 6, 7]); // of -3, 0, 2
});

test("an opportunity at the very beginning is left out", () => {
  expect(cutWindow(TRACE, { fromMs: 2, lengthMs: 5 })).toEqual([3, 5, 6]);
});

test("silence at the end of a window lasts", () => {
  expect(cutWindow([1, 20], { fromMs: 0, lengthMs: 10 })).toEqual([1, 11]);
});

test("the first seed begins where the trace does, the others are spread", () => {
  // 0, 0.618, 0.236, 0.854, 0.472 of the period
  expect([1, 2, 3, 4, 5].map((seed) => startOfSeed(seed, 1000))).toEqual([0, 618, 236, 854, 472]);
});

test("mahimahi's format there and back", () => {
  expect(parseOpportunities(formatOpportunities([1, 1, 4]))).toEqual([1, 1, 4]);
});
