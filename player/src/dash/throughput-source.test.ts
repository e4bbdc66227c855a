import { describe, expect, it } from "vitest";
import { type ThroughputController, ThroughputSource } from "./throughput-source.ts";

const dashjsOwn: ThroughputController = {
  getAverageThroughput: () => 5000,
  getSafeAverageThroughput: () => 4500,
};

/** As dash.js's FactoryMaker merges an extension that overrides. */
function merged(source: ThroughputSource): ThroughputController {
  const parent = { ...dashjsOwn };
  return Object.assign(parent, source.extend(parent));
}

describe("throughput source", () => {
  it("gives the receiver's estimate to every rule, in kbit/s", () => {
    const controller = merged(new ThroughputSource({ estimateBitsPerSecond: () => 24_000_400 }));
    expect(controller.getAverageThroughput("video")).toBe(24_000);
    expect(controller.getSafeAverageThroughput("audio")).toBe(21_600);
  });

  it("says that nothing is known before the first measurement, as dash.js does", () => {
    const controller = merged(new ThroughputSource({ estimateBitsPerSecond: () => null }));
    expect(controller.getAverageThroughput("video")).toBeNaN();
    expect(controller.getSafeAverageThroughput("video")).toBeNaN();
  });

  it("leaves dash.js its own estimate when asked to", () => {
    const controller = merged(new ThroughputSource({ estimateBitsPerSecond: null }));
    expect(controller.getAverageThroughput("video")).toBe(5000);
    expect(controller.getSafeAverageThroughput("video")).toBe(4500);
  });

  it("keeps dash.js's own estimate readable beside the receiver's", () => {
    const source = new ThroughputSource({ estimateBitsPerSecond: () => 1_000_000 });
    expect(source.dashjsBitsPerSecond()).toBeNull();
    merged(source);
    expect(source.dashjsBitsPerSecond()).toBe(5_000_000);
  });
});
