/** What every rule of this project makes of a steady link that it knows, with segments of any length. */

import { describe, expect, it, test } from "vitest";
import { bba } from "./bba.ts";
import { LADDER, madeContext, steady } from "./made-context.ts";
import { isOwnRule, RULES } from "./registry.ts";
import type { OwnRule, PastDownload, RuleContext } from "./rule.ts";

const OWN = RULES.flatMap((rule): OwnRule[] => (isOwnRule(rule) ? [rule] : []));
const SEGMENT_SECONDS = [2, 4, 6, 8, 10, 12];
const RATES_MBIT_PER_S = [1.5, 2, 3.5, 6, 10, 16, 24, 40];
/** Where fetching stops, below the top rung and in it: dash.js's own. */
const TARGET_SECONDS = 18;
const TOP_TARGET_SECONDS = 30;
const VMAF = [45, 60, 75, 85, 93, 97];
const ROUND_TRIP_SECONDS = 0.05;

interface Steady {
  /** Of the later half, when its beginning is forgotten. */
  readonly meanBitsPerSecond: number;
  readonly rungs: ReadonlySet<number>;
  readonly stallSeconds: number;
}

/** Sixty segments, from nothing buffered, each asked for when a player asks. */
function play(rule: OwnRule, segmentSeconds: number, megabitsPerSecond: number): Steady {
  const top = LADDER.length - 1;
  const reachable = LADDER.map(
    (_, rung) => (rung === top ? TOP_TARGET_SECONDS : TARGET_SECONDS) - segmentSeconds,
  );
  const outlook = steady(megabitsPerSecond);
  const pastDownloads: PastDownload[] = [];
  const throughputs: number[] = [];
  const rungs: number[] = [];
  let bufferSeconds = 0;
  let stallSeconds = 0;
  for (let segment = 0; segment < 60; segment++) {
    const before = rungs.at(-1) ?? null;
    bufferSeconds = Math.min(bufferSeconds, reachable[before ?? 0] ?? 0);
    const seen: RuleContext = madeContext({
      segmentSeconds,
      bufferSeconds,
      currentIndex: before,
      reachableBufferSeconds: reachable,
      outlook,
      segmentVmaf: VMAF.map((vmaf) => [vmaf]),
      remainingSegments: null,
      pastDownloads: pastDownloads.slice(-20),
      segmentThroughputsBitsPerSecond: throughputs.slice(-20),
      roundTripSeconds: ROUND_TRIP_SECONDS,
    });
    const { index } = rule.decide(seen);
    bufferSeconds = Math.min(bufferSeconds, reachable[index] ?? 0);
    const expectedBits = (LADDER[index] ?? 0) * segmentSeconds;
    const seconds = ROUND_TRIP_SECONDS + expectedBits / (megabitsPerSecond * 1e6);
    if (segment > 0) stallSeconds += Math.max(0, seconds - bufferSeconds);
    bufferSeconds = Math.max(0, bufferSeconds - seconds) + segmentSeconds;
    pastDownloads.push({ expectedBits, seconds, roundTripSeconds: ROUND_TRIP_SECONDS, outlook });
    throughputs.push(expectedBits / seconds);
    rungs.push(index);
  }
  const later = rungs.slice(rungs.length / 2);
  const meanBitsPerSecond = later.reduce((sum, rung) => sum + (LADDER[rung] ?? 0), 0) / later.length;
  return { meanBitsPerSecond, rungs: new Set(rungs), stallSeconds };
}

/** The highest rung whose segment takes no more than three quarters of its own length, and of the buffer that waits for it. */
function carried(segmentSeconds: number, megabitsPerSecond: number): number {
  const most = 0.75 * Math.min(segmentSeconds, TARGET_SECONDS - segmentSeconds);
  return LADDER.findLastIndex(
    (rung) => ROUND_TRIP_SECONDS + (rung * segmentSeconds) / (megabitsPerSecond * 1e6) <= most,
  );
}

describe.each(OWN)("$name on a steady link", (rule) => {
  it.each(SEGMENT_SECONDS)(
    "has the rung that it carries with segments of %d s, or a higher one",
    (seconds) => {
      for (const rate of RATES_MBIT_PER_S) {
        const rung = LADDER[carried(seconds, rate)] ?? 0;
        expect(play(rule, seconds, rate).meanBitsPerSecond, `${rate} Mbit/s`).toBeGreaterThanOrEqual(rung);
      }
    },
  );

  it("has every rung of the ladder, each on some link", () => {
    const links = LADDER.map((rung) => (1.25 * rung) / 1e6);
    const had = new Set(links.flatMap((rate) => [...play(rule, 2, rate).rungs]));
    expect(had.size).toBe(LADDER.length);
  });
});

/** RobustMPC spends its buffer by its paper's design, BBA's needs one of many segments. */
const STEADFAST = OWN.filter(({ name }) => name.startsWith("nuwa"));

test.each(STEADFAST)("$name never stalls on it", (rule) => {
  for (const seconds of SEGMENT_SECONDS) {
    for (const rate of RATES_MBIT_PER_S) {
      expect(play(rule, seconds, rate).stallSeconds, `${seconds} s at ${rate} Mbit/s`).toBe(0);
    }
  }
});

test("BBA does not stall with the segments of its paper", () => {
  for (const rate of RATES_MBIT_PER_S) expect(play(bba, 2, rate).stallSeconds).toBe(0);
});
