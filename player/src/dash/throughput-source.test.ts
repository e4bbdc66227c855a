import { beforeEach, describe, expect, it } from "vitest";
import type { ThroughputController } from "./dashjs-internals.ts";
import { ThroughputSource } from "./throughput-source.ts";

let controller: ThroughputController;
let bitsPerSecond: number | null;
let source: ThroughputSource;

beforeEach(() => {
  controller = { getAverageThroughput: () => 4000, getSafeAverageThroughput: () => 3600 };
  bitsPerSecond = 8e6;
  source = new ThroughputSource({ bitsPerSecond: () => bitsPerSecond, safetyFactor: () => 0.75 });
});

describe("a throughput source", () => {
  it("gives dash.js the receiver's estimate in kbit/s, and its safe share", () => {
    source.attach(controller);
    expect(controller.getAverageThroughput("video")).toBe(8000);
    expect(controller.getSafeAverageThroughput("video")).toBe(6000);
  });

  it("leaves dash.js its own while the receiver has none, or a stale one", () => {
    source.attach(controller);
    bitsPerSecond = null;
    expect(controller.getAverageThroughput("video")).toBe(4000);
    expect(controller.getSafeAverageThroughput("video")).toBe(3600);
  });

  it("keeps dash.js's own readable", () => {
    expect(source.dashjsBitsPerSecond()).toBeNull();
    source.attach(controller);
    source.attach(controller);
    expect(source.dashjsBitsPerSecond()).toBe(4e6);
  });

  it("knows no estimate of dash.js before its first sample", () => {
    controller.getAverageThroughput = () => Number.NaN;
    source.attach(controller);
    expect(source.dashjsBitsPerSecond()).toBeNull();
  });

  it("gives dash.js its methods back", () => {
    const { getAverageThroughput, getSafeAverageThroughput } = controller;
    source.attach(controller);
    source.detach();
    expect(controller).toEqual({ getAverageThroughput, getSafeAverageThroughput });
  });
});
