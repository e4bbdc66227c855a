import { expect, it } from "vitest";
import type { Progress } from "../progress.ts";
import { ProgressThrottle } from "./progress-throttle.ts";

it("reports the first bytes, then every 50 ms, and always the last", () => {
  let nowMs = 0;
  const reports: Progress[] = [];
  const throttle = new ProgressThrottle(
    () => nowMs,
    (progress) => reports.push(progress),
  );
  throttle.onHead(1000);
  for (const [atMs, loadedBytes] of [
    [5, 100],
    [54, 200],
    [55, 300],
    [104, 400],
    [104.5, 1000],
  ] as const) {
    nowMs = atMs;
    throttle.onBytes(loadedBytes);
  }
  expect(reports).toEqual([
    { loadedBytes: 100, totalBytes: 1000, atMs: 5 },
    { loadedBytes: 300, totalBytes: 1000, atMs: 55 },
    { loadedBytes: 1000, totalBytes: 1000, atMs: 104.5 },
  ]);
});
