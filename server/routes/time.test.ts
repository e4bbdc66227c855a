import { expect, test } from "vitest";
import { startSampleApp } from "../sample-app.ts";

test("the time is told to the millisecond, and never from a cache", async () => {
  const { url } = await startSampleApp();
  const beforeMs = Date.now();
  const response = await fetch(`${url}/api/time`);
  const text = await response.text();
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(text)).toBeGreaterThanOrEqual(beforeMs);
  expect(Date.parse(text)).toBeLessThanOrEqual(Date.now());
  expect(response.headers.get("cache-control")).toBe("no-store");
});
