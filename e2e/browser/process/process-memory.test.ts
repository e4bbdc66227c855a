import { expect, test } from "vitest";
import { holdingsOf, parseAllocatedBytes } from "./process-memory.ts";

test("allocated memory is read in bytes", () => {
  expect(parseAllocatedBytes("Name:\tnode\nVmRSS:\t 9 kB\nRssAnon:\t    2048 kB\nRssFile:\t 1 kB\n")).toBe(
    2 * 1024 * 1024,
  );
});

test("a status without it is an error that shows it", () => {
  expect(() => parseAllocatedBytes("Name:\tkthreadd\n")).toThrow("kthreadd");
});

test.runIf(process.platform === "linux")("this process holds some memory and some descriptors", async () => {
  const { allocatedBytes, descriptors } = await holdingsOf(process.pid);
  expect(allocatedBytes).toBeGreaterThan(10e6);
  expect(descriptors).toBeGreaterThan(3);
});
