/** How much processor time each rule of this project takes to decide, over more rungs than a film has. */

import { expect, it } from "vitest";
import { madeContext, steady } from "./made-context.ts";
import { isOwnRule, RULES } from "./registry.ts";
import type { OwnRule } from "./rule.ts";

const OWN = RULES.flatMap((rule): OwnRule[] => (isOwnRule(rule) ? [rule] : []));
const RUNGS = Array.from({ length: 10 }, (_, rung) => 0.3e6 * 1.5 ** rung);
const VMAF = RUNGS.map((_, rung) => [40 + 6 * rung]);
const DECISIONS = 300;
const MOST_MS = 5;

it.each(OWN)(`$name decides within ${MOST_MS} ms over ten rungs`, ({ name, decide }) => {
  const times = Array.from({ length: DECISIONS }, (_, run) => {
    const megabitsPerSecond = 0.3 * 1.05 ** (run % 100);
    const outlook = steady(megabitsPerSecond, 0.3);
    const seen = madeContext({
      ladderBitsPerSecond: RUNGS,
      currentIndex: run % RUNGS.length,
      bufferSeconds: run % 17,
      outlook,
      segmentVmaf: VMAF,
      pastDownloads: Array.from({ length: 20 }, (_past, place) => ({
        expectedBits: 2e6,
        seconds: (1 + place / 20) * (2 / megabitsPerSecond),
        silentSeconds: 0,
        roundTripSeconds: 0.05,
        outlook,
      })),
      segmentThroughputsBitsPerSecond: Array.from({ length: 20 }, () => 1e6 * megabitsPerSecond),
      queueingDelaySeconds: 0.1,
      targetDelaySeconds: 0.05,
    });
    const began = process.cpuUsage();
    decide(seen);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  }).toSorted((a, b) => a - b);
  const [median, p99] = [times[DECISIONS / 2] ?? Number.NaN, times[0.99 * DECISIONS] ?? Number.NaN];
  console.info(
    `${name}, a decision over ten rungs: median ${median.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`,
  );
  expect(median).toBeLessThan(MOST_MS); // the p99 has what the compiler takes of the first ones
});
