/** What a rule earns over all training links, films of the same places and scenes for every rule. */

import { linearQoe } from "../../player/src/qoe/linear-qoe.ts";
import type { OutlookTimes } from "../../player/src/rules/bandwidth-outlook.ts";
import type { OwnRule } from "../../player/src/rules/rule.ts";
import { type QuickLink, quickFilm } from "./quick-film.ts";
import { seededRandom } from "./seeded-random.ts";

/** Of the demo film, bits per second. */
const LADDER = [0.3e6, 0.7e6, 1.5e6, 2.8e6, 5e6, 8e6] as const;
const SEGMENT_SECONDS = 2;
const BUFFER_TARGET_SECONDS = 18;
/** QoE_lin of a film weighs a second of stall little beside its top rung; viewers do not. Stalls count so many times. */
const STALL_WEIGHT = 4;
/** A family's score is over its mean rate within these, so that fast links do not decide alone. */
const SCALE_MEGABITS = [2, 8] as const;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export interface Arm {
  readonly rule: Pick<OwnRule, "decide" | "abandon">;
  readonly times: OutlookTimes;
}

export interface FamilyScore {
  readonly family: string;
  qoePerSegment: number;
  stallSeconds: number;
  films: number;
}

export interface Score {
  /** Mean over the families; what the search raises. */
  readonly total: number;
  readonly families: readonly FamilyScore[];
}

export interface Films {
  readonly links: readonly QuickLink[];
  readonly starts: number;
  readonly segments: number;
  readonly seed: number;
}

export function scoreOf(arm: Arm, { links, starts, segments, seed }: Films): Score {
  const families = new Map<string, FamilyScore & { scale: number; sum: number }>();
  for (const link of links) {
    const { bitsPerSecond } = link;
    const mean = bitsPerSecond.reduce((sum, rate) => sum + rate, 0) / bitsPerSecond.length / 1e6;
    const scale = Math.min(SCALE_MEGABITS[1], Math.max(SCALE_MEGABITS[0], mean));
    for (let start = 0; start < starts; start++) {
      const random = seededRandom(seed * 1000 + start);
      const complexity = scenes(segments, random);
      const { bitsPerSecond: fetched, stallSeconds } = quickFilm({
        ...arm,
        link,
        start: Math.floor((((seed + start) * GOLDEN) % 1) * bitsPerSecond.length),
        ladderBitsPerSecond: LADDER,
        segmentSeconds: SEGMENT_SECONDS,
        complexity,
        bufferTargetSeconds: BUFFER_TARGET_SECONDS,
        random,
      });
      const segmentMegabitsPerSecond = fetched.map((rate) => rate / 1e6);
      const own = linearQoe({ segmentMegabitsPerSecond, rebufferSeconds: stallSeconds })?.perSegment ?? 0;
      const strict =
        linearQoe({ segmentMegabitsPerSecond, rebufferSeconds: STALL_WEIGHT * stallSeconds })?.perSegment ??
        0;
      const family = families.get(link.family) ?? {
        family: link.family,
        qoePerSegment: 0,
        stallSeconds: 0,
        films: 0,
        scale: 1,
        sum: 0,
      };
      families.set(link.family, family);
      family.qoePerSegment += own;
      family.stallSeconds += stallSeconds;
      family.sum += strict / scale;
      family.films += 1;
    }
  }
  const all = [...families.values()];
  return {
    total: all.reduce((total, { sum, films }) => total + sum / films, 0) / all.length,
    families: all.map(({ family, qoePerSegment, stallSeconds, films }) => ({
      family,
      qoePerSegment: qoePerSegment / films,
      stallSeconds: stallSeconds / films,
      films,
    })),
  };
}

/** Segments' sizes over their nominal ones: scenes of some segments each, below 1 in the mean as encoders keep to a peak. */
function scenes(segments: number, random: () => number): number[] {
  let scene = 0;
  return Array.from({ length: segments }, () => {
    if (random() < 0.2) scene = random() + random() - 1;
    return 0.92 * Math.exp(0.35 * (scene + 0.5 * (random() - 0.5)));
  });
}
