/** What every rule of this project makes of a steady link that it knows, with segments of any length. */

import { describe, expect, it, test } from "vitest";
import { bba } from "./bba.ts";
import { LADDER, madeContext, steady } from "./made-context.ts";
import { nuwa } from "./nuwa.ts";
import { nuwaLog } from "./nuwa-log.ts";
import { nuwaVmaf } from "./nuwa-vmaf.ts";
import { isOwnRule, RULES } from "./registry.ts";
import type { OwnRule, PastDownload, RuleContext } from "./rule.ts";

const OWN = RULES.flatMap((rule): OwnRule[] => (isOwnRule(rule) ? [rule] : []));
const SEGMENT_SECONDS = [2, 4, 6, 8, 10, 12];
const RATES_MBIT_PER_S = [1.5, 2, 3.5, 6, 10, 16, 24, 40];
/** Where fetching stops, below the top rung and in it: dash.js's own. */
const TARGET_SECONDS = 18;
const TOP_TARGET_SECONDS = 30;
const SEGMENTS = 40;
const VMAF = [45, 60, 75, 85, 93, 97];
const ROUND_TRIP_SECONDS = 0.05;

interface Steady {
  /** Of the last quarter: its history, the twenty downloads before it, has forgotten how the film began. */
  readonly meanBitsPerSecond: number;
  readonly rungs: ReadonlySet<number>;
  /** Of the film's length. */
  readonly stalledShare: number;
}

interface Film {
  readonly segmentSeconds: number;
  readonly targetSeconds: number;
  readonly topTargetSeconds: number;
}

const film = (segmentSeconds: number): Film => ({
  segmentSeconds,
  targetSeconds: TARGET_SECONDS,
  topTargetSeconds: TOP_TARGET_SECONDS,
});

/** Nothing is there before it is complete: the delay is the target, in the top rung as well. */
const live = (segmentSeconds: number, delaySeconds: number): Film => ({
  segmentSeconds,
  targetSeconds: delaySeconds,
  topTargetSeconds: delaySeconds,
});

const known = new Map<string, Steady>();

/** `playAnew`, each once: it takes seconds in all. */
function play(rule: OwnRule, over: Film, megabitsPerSecond: number): Steady {
  const key = JSON.stringify([rule.name, over, megabitsPerSecond]);
  const found = known.get(key) ?? playAnew(rule, over, megabitsPerSecond);
  known.set(key, found);
  return found;
}

/** Forty segments, from nothing buffered, each asked for when a player asks. */
function playAnew(
  rule: OwnRule,
  { segmentSeconds, targetSeconds, topTargetSeconds }: Film,
  megabitsPerSecond: number,
): Steady {
  const top = LADDER.length - 1;
  const reachable = LADDER.map(
    (_, rung) => (rung === top ? topTargetSeconds : targetSeconds) - segmentSeconds,
  );
  const outlook = steady(megabitsPerSecond);
  const pastDownloads: PastDownload[] = [];
  const throughputs: number[] = [];
  const rungs: number[] = [];
  let bufferSeconds = 0;
  let stallSeconds = 0;
  for (let segment = 0; segment < SEGMENTS; segment++) {
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
    pastDownloads.push({
      expectedBits,
      seconds,
      silentSeconds: 0,
      roundTripSeconds: ROUND_TRIP_SECONDS,
      outlook,
    });
    throughputs.push(expectedBits / seconds);
    rungs.push(index);
  }
  const last = rungs.slice(-SEGMENTS / 4);
  const meanBitsPerSecond = last.reduce((sum, rung) => sum + (LADDER[rung] ?? 0), 0) / last.length;
  return {
    meanBitsPerSecond,
    rungs: new Set(rungs),
    stalledShare: stallSeconds / (SEGMENTS * segmentSeconds),
  };
}

/** The highest rung whose segment takes no more than three quarters of its own length, and of the buffer that waits for it. */
function carried({ segmentSeconds, targetSeconds }: Film, megabitsPerSecond: number): number {
  const most = 0.75 * Math.min(segmentSeconds, targetSeconds - segmentSeconds);
  return LADDER.findLastIndex(
    (rung) => ROUND_TRIP_SECONDS + (rung * segmentSeconds) / (megabitsPerSecond * 1e6) <= most,
  );
}

/** Behind the live edge by two to four segments. */
const LIVE = [live(2, 4), live(2, 6), live(2, 8), live(4, 8), live(4, 12), live(4, 16), live(6, 12)];
const FILMS = [...SEGMENT_SECONDS.map(film), ...LIVE];

/** Of whom less is asked, and why; every other rule has every film. */
const HAS_THE_RUNG = new Map<string, (film: Film) => boolean>([
  // Its map needs a buffer of many segments.
  ["bba", ({ segmentSeconds, targetSeconds }) => segmentSeconds <= (5 / 17) * targetSeconds],
]);
const MOST_STALLED = new Map<string, number>([
  ["bba", 0.15], // above its reservoir it asks for a rung whatever the link carries
  ["robust-mpc", 0.3], // it spends its buffer, by its paper's design
]);
const MOST_STALLED_SHARE = 0.05;
/** With less in hand, whoever asks for four fifths of the link stalls: a segment takes longer than the buffer lasts. */
const LEAST_BUFFER_SEGMENTS = 1.75;

describe.each(OWN)("$name on a steady link", (rule) => {
  it.each(FILMS)("has the rung that it carries, or a higher one: %o", (played) => {
    if (HAS_THE_RUNG.get(rule.name)?.(played) === false) return;
    for (const rate of RATES_MBIT_PER_S) {
      const rung = LADDER[carried(played, rate)] ?? 0;
      expect(play(rule, played, rate).meanBitsPerSecond, `${rate} Mbit/s`).toBeGreaterThanOrEqual(rung);
    }
  });

  const roomy = FILMS.filter(
    ({ segmentSeconds, targetSeconds }) => targetSeconds >= LEAST_BUFFER_SEGMENTS * segmentSeconds,
  );
  it.each(roomy)("hardly stalls: %o", (played) => {
    const most = MOST_STALLED.get(rule.name) ?? MOST_STALLED_SHARE;
    for (const rate of RATES_MBIT_PER_S) {
      expect(play(rule, played, rate).stalledShare, `${rate} Mbit/s`).toBeLessThanOrEqual(most);
    }
  });

  it("has every rung of the ladder, each on some link", () => {
    const links = LADDER.map((rung) => (1.25 * rung) / 1e6);
    const had = new Set(links.flatMap((rate) => [...play(rule, film(2), rate).rungs]));
    expect(had.size).toBe(LADDER.length);
  });
});

test.each([nuwa, nuwaLog, nuwaVmaf])("$name never stalls on it, in a film", (rule) => {
  for (const seconds of SEGMENT_SECONDS) {
    for (const rate of RATES_MBIT_PER_S) {
      expect(play(rule, film(seconds), rate).stalledShare, `${seconds} s at ${rate} Mbit/s`).toBe(0);
    }
  }
});

test("BBA does not stall with the segments of its paper", () => {
  for (const rate of RATES_MBIT_PER_S) expect(play(bba, film(2), rate).stalledShare).toBe(0);
});

test("a rule that always has the top rung stalls", () => {
  const decide = () => ({ index: LADDER.length - 1, reason: { why: "always" } });
  const floods: OwnRule = { name: "floods", title: "Floods", summary: "", decide };
  for (const played of FILMS)
    expect(play(floods, played, 1.5).stalledShare).toBeGreaterThan(MOST_STALLED_SHARE);
});
