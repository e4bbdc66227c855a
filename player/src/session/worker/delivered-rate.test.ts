import { expect, it } from "vitest";
import { DeliveredRate } from "./delivered-rate.ts";

it("counts the last second only", () => {
  const rate = new DeliveredRate();
  rate.onBytes(1000, 0);
  rate.onBytes(2000, 500);
  expect(rate.bitsPerSecond(999)).toBe(24_000);
  expect(rate.bitsPerSecond(1000)).toBe(16_000);
  expect(rate.bitsPerSecond(1500)).toBe(0);
});
