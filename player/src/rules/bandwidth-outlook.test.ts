import { describe, expect, it } from "vitest";
import { BandwidthHistory, combinedOutlook, predictedBitsPerSecond } from "./bandwidth-outlook.ts";
import { steady } from "./made-context.ts";

describe("bandwidth history", () => {
  it("knows nothing before the first estimate", () => {
    expect(new BandwidthHistory().outlook()).toBeNull();
  });

  it("sees no variation on a steady link", () => {
    const history = new BandwidthHistory();
    for (let second = 0; second < 10; second++) {
      history.add(second, 5e6, true);
    }
    const outlook = history.outlook();
    expect(outlook?.sustainedBitsPerSecond).toBeCloseTo(5e6, 3);
    expect(outlook?.variation).toBeCloseTo(0, 10);
  });

  it("weights the newer estimates more, by half-lives", () => {
    const history = new BandwidthHistory({ recentHalfLifeSeconds: 10, sustainedHalfLifeSeconds: 20 });
    history.add(0, 3e6, true);
    history.add(20, 6e6, true);
    // Weights 1/2 and 1: (1.5 + 6) / 1.5 = 5; distances 2 and 1: (1 + 1) / 1.5 / 5.
    const outlook = history.outlook();
    expect(outlook).toMatchObject({ nowBitsPerSecond: 6e6, sustainedBitsPerSecond: 5e6 });
    expect(outlook?.variation).toBeCloseTo(2 / 1.5 / 5, 10);
    // Of 10 s: weights 1/4 and 1.
    expect(outlook?.recentBitsPerSecond).toBeCloseTo((0.75e6 + 6e6) / 1.25, 3);
  });

  it("takes an estimate that merely holds as the newest, but not as evidence", () => {
    const history = new BandwidthHistory();
    history.add(0, 4e6, true);
    for (let tenth = 1; tenth < 100; tenth++) {
      history.add(tenth / 10, 8e6, false);
    }
    expect(history.outlook()).toMatchObject({ nowBitsPerSecond: 8e6, sustainedBitsPerSecond: 4e6 });
  });

  it("knows of an estimate that comes after it was asked", () => {
    const history = new BandwidthHistory({ recentHalfLifeSeconds: 10, sustainedHalfLifeSeconds: 20 });
    history.add(0, 3e6, true);
    expect(history.outlook()).toMatchObject({ nowBitsPerSecond: 3e6, sustainedBitsPerSecond: 3e6 });
    history.add(20, 6e6, true);
    expect(history.outlook()).toMatchObject({ nowBitsPerSecond: 6e6, sustainedBitsPerSecond: 5e6 });
  });

  it("forgets what was measured by a clock that is ahead of the present one", () => {
    const history = new BandwidthHistory();
    history.add(3600, 8e6, true);
    history.add(10, 2e6, true);
    expect(history.outlook()?.recentBitsPerSecond).toBeCloseTo(2e6, 3);
    expect(history.outlook()?.sustainedBitsPerSecond).toBeCloseTo(2e6, 3);
    expect(history.outlook()?.variation).toBeCloseTo(0, 10);
  });

  it("forgets what is older than its memory", () => {
    const history = new BandwidthHistory();
    history.add(0, 100e6, true);
    for (let tenth = 610; tenth < 700; tenth++) {
      history.add(tenth / 10, 1e6, true);
    }
    expect(history.outlook()?.sustainedBitsPerSecond).toBeCloseTo(1e6, 3);
  });
});

describe("two measurements", () => {
  it("tell what is of late by both, and what is sustained by downloads", () => {
    const receiver = { ...steady(8, 0.5), sustainedBitsPerSecond: 4e6 };
    expect(combinedOutlook(receiver, steady(2, 0.1))).toEqual({
      ...receiver,
      recentBitsPerSecond: 4e6,
      sustainedBitsPerSecond: 2e6,
    });
  });
});

describe("prediction", () => {
  const outlook = { ...steady(8, 0.5), sustainedBitsPerSecond: 2e6 };

  it("begins at the present rate and ends at the sustained one", () => {
    expect(predictedBitsPerSecond(outlook, 0, 4)).toBe(8e6);
    expect(predictedBitsPerSecond(outlook, 4, 4)).toBeCloseTo(2e6 + 6e6 / Math.E, 3);
    expect(predictedBitsPerSecond(outlook, 100, 4)).toBeCloseTo(2e6, 0);
  });

  it("does not promise a standstill for ever", () => {
    expect(predictedBitsPerSecond(steady(0), 1, 4)).toBeGreaterThan(0);
  });
});
