import { expect, it } from "vitest";
import { type Progress, ProgressThrottle } from "./progress-throttle.ts";

it("reports the first bytes, then every 10 ms, and always the last", () => {
  let nowMs = 0;
  const reports: Progress[] = [];
  const throttle = new ProgressThrottle(
    () => nowMs,
    (progress) => reports.push(progress),
  );
  throttle.onHead(1000);
  for (const [atMs, loadedBytes] of [
    [5, 100],
    [9, 200],
    [15, 300],
    [24, 400],
    [24.5, 1000],
  ] as const) {
    nowMs = atMs;
    throttle.onBytes(loadedBytes);
  }
  expect(reports).toEqual([
    { loadedBytes: 100, totalBytes: 1000, atMs: 5 },
    { loadedBytes: 300, totalBytes: 1000, atMs: 15 },
    { loadedBytes: 1000, totalBytes: 1000, atMs: 24.5 },
  ]);
});
