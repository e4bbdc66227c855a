import { expect, test } from "vitest";
import { toCsv } from "./bundle.ts";

test("records become rows under the first one's names", () => {
  const records = [
    { atMs: 1.5, bits: null, reason: "start" },
    { atMs: 2, bits: 10, reason: 'a "b", c' },
  ];
  expect(toCsv(records)).toBe('atMs,bits,reason\n1.5,,start\n2,10,"a ""b"", c"\n');
});

test("no records, no file content", () => {
  expect(toCsv([])).toBe("");
});
