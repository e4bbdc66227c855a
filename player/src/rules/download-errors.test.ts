import { describe, expect, it } from "vitest";
import { downloadSeconds, logError, scenarios } from "./download-errors.ts";
import { steady } from "./made-context.ts";
import type { PastDownload } from "./rule.ts";

const PARAMETERS = { relaxationSeconds: 4, steadySpread: 0.1, spreadPerVariation: 0.5, usualWeight: 3 };
/** 8 Mbit at 4 Mbit/s: 2 s and a round trip of 0.1 s were forecast. */
const took = (seconds: number): PastDownload => ({
  expectedBits: 8e6,
  seconds,
  silentSeconds: 0,
  roundTripSeconds: 0.1,
  outlook: steady(4),
});

describe("the forecast of a download", () => {
  it("on a steady link is its size over the rate", () => {
    expect(downloadSeconds(steady(4), 8e6, 3, 4)).toBeCloseTo(2, 12);
  });

  it("goes by the rate in its middle, as it relaxes to what is sustained", () => {
    const falling = { ...steady(8), sustainedBitsPerSecond: 2e6 };
    // 8 Mbit at 8 Mbit/s take 1 s; half a second ahead the rate is 2 + 6 exp(-0.5 / 4).
    expect(downloadSeconds(falling, 8e6, 0, 4)).toBeCloseTo(8 / (2 + 6 * Math.exp(-0.125)), 12);
  });
});

describe("an error", () => {
  it("is the logarithm of the rate that came over the one that was forecast", () => {
    expect(logError(took(2.1), 4)).toBeCloseTo(0, 12);
    expect(logError(took(4.2), 4)).toBeCloseTo(-Math.log(2), 12);
  });

  it("is not that nothing came: a link that stood still was no slower before and after", () => {
    expect(logError({ ...took(14.2), silentSeconds: 10 }, 4)).toBeCloseTo(-Math.log(2), 12);
  });

  it("is none where bytes came a second apart: what is not late is not early for that", () => {
    expect(logError({ ...took(2.1), silentSeconds: 2.1 }, 4)).toBeCloseTo(0, 12);
    expect(logError({ ...took(12), silentSeconds: 12 }, 4)).toBeCloseTo(0, 12);
    expect(logError({ ...took(1.05), silentSeconds: 1 }, 4)).toBeCloseTo(Math.log(2), 12);
  });
});

describe("the scenarios", () => {
  it("without a past are what is usual: wider on a link that varies, weights of one in all", () => {
    const calm = scenarios(steady(4), [], PARAMETERS).map(({ logError: error }) => error);
    const wild = scenarios(steady(4, 1), [], PARAMETERS).map(({ logError: error }) => error);
    expect(calm[2]).toBeCloseTo(0, 12);
    expect(calm[0]).toBeCloseTo(-(calm[4] ?? 0), 12);
    expect((wild[0] ?? 0) / (calm[0] ?? 1)).toBeCloseTo(6, 10); // 0.6 of spread for 0.1
    expect(scenarios(steady(4), [], PARAMETERS).reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(
      1,
      12,
    );
  });

  it("ascend, and move towards what was met", () => {
    const past = Array.from({ length: 12 }, () => took(4.2));
    const errors = scenarios(steady(4), past, PARAMETERS).map(({ logError: error }) => error);
    expect(errors).toEqual(errors.toSorted((a, b) => a - b));
    expect(errors[1]).toBeCloseTo(-Math.log(2), 2);
  });

  it("count the newest download most", () => {
    const worse = [...Array(10).fill(took(2.1)), ...Array(5).fill(took(6.3))] as PastDownload[];
    const median = (past: PastDownload[]): number => scenarios(steady(4), past, PARAMETERS)[1]?.logError ?? 0;
    expect(median(worse)).toBeLessThan(median(worse.toReversed()));
  });
});
