import { expect, test } from "vitest";
import { cpuSeconds, parseCpuSeconds } from "./cpu-time.ts";

test("user and system time are found behind a name with brackets and spaces", () => {
  const stat = "77 (odd) name (x)) S 1 77 77 0 -1 4194560 100 0 0 0 250 50 9 9 20 0 1 0 5 6 7";
  expect(parseCpuSeconds(stat)).toBe(3);
});

test("this process has used some", async () => {
  expect(await cpuSeconds(process.pid)).toBeGreaterThan(0);
});
