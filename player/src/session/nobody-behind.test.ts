import { expect, it } from "vitest";
import { unansweredBy } from "./nobody-behind.ts";

it.each([200, 206, 304, 401, 404, 416, 500])("takes %i for an answer", (status) => {
  expect(unansweredBy(status, "3")).toBeNull();
});

it.each([0, 429, 502, 503, 504])("takes %i for nobody's answer", (status) => {
  expect(unansweredBy(status, null)?.afterMs).toBe(0);
});

it.each([
  ["3", 3000],
  ["3600", 10_000],
  ["Sat, 28 Nov 2026 23:00:00 GMT", 0],
  ["-1", 0],
  ["", 0],
  [undefined, 0],
])("with Retry-After %j waits %i ms at least", (header, expectedMs) => {
  expect(unansweredBy(503, header)?.afterMs).toBe(expectedMs);
});
