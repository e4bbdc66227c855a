import { expect, test } from "vitest";
import { holdingsOf, parseResidentBytes } from "./process-memory.ts";

test("resident memory is read in bytes", () => {
  expect(parseResidentBytes("Name:\tnode\nVmRSS:\t    2048 kB\nRssAnon:\t 1 kB\n")).toBe(2 * 1024 * 1024);
});

test("a status without it is an error that shows it", () => {
  expect(() => parseResidentBytes("Name:\tkthreadd\n")).toThrow("kthreadd");
});

test.runIf(process.platform === "linux")("this process holds some memory and some descriptors", async () => {
  const { residentBytes, descriptors } = await holdingsOf(process.pid);
  expect(residentBytes).toBeGreaterThan(10e6);
  expect(descriptors).toBeGreaterThan(3);
});
