/** A hill climb over the constants of NuwaRule: a few of them are moved at a time, and what scores more is kept. */

import { OUTLOOK_TIMES, type OutlookTimes } from "../../player/src/rules/bandwidth-outlook.ts";
import { makeNuwaRule } from "../../player/src/rules/nuwa.ts";
import { NUWA_PARAMETERS, type NuwaParameters } from "../../player/src/rules/nuwa-parameters.ts";
import { LINEAR } from "../../player/src/rules/objective.ts";
import { type Films, type Score, scoreOf } from "./score.ts";
import { seededRandom } from "./seeded-random.ts";

export interface Constants {
  readonly parameters: NuwaParameters;
  readonly times: OutlookTimes;
}

/** What is searched, and between which values. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  relaxationSeconds: [1, 30],
  steadySpread: [0.02, 0.4],
  spreadPerVariation: [0.1, 3],
  usualWeight: [1, 20],
  errorPersistence: [0.5, 1],
  stallWeight: [0.5, 6],
  switchWeight: [0.7, 2],
  reserveShare: [0.05, 0.6],
  reserveWeight: [0.002, 0.2],
  endWeight: [0.02, 2],
  recentHalfLifeSeconds: [0.2, 5],
  sustainedHalfLifeSeconds: [5, 60],
};

export const CHOSEN: Constants = { parameters: NUWA_PARAMETERS, times: OUTLOOK_TIMES };

export function armOf({ parameters, times }: Constants): {
  rule: ReturnType<typeof makeNuwaRule>;
  times: OutlookTimes;
} {
  return { rule: makeNuwaRule(LINEAR, parameters), times };
}

/** `told` hears of every round: its number, and the best so far. */
export function search(
  films: Films,
  from: Constants,
  rounds: number,
  told: (round: number, best: Constants, score: Score) => void,
): Constants {
  const random = seededRandom(films.seed);
  let best = from;
  let score = scoreOf(armOf(best), films);
  told(0, best, score);
  const names = Object.keys(RANGES);
  for (let round = 1; round <= rounds; round++) {
    const step = 1.2 * 0.3 ** (round / rounds);
    const moved = names.filter(() => random() < 2.5 / names.length);
    const candidate = moved.reduce(
      (constants, name) => movedBy(constants, name, step * normal(random)),
      best,
    );
    if (moved.length === 0) continue;
    const found = scoreOf(armOf(candidate), films);
    if (found.total > score.total) {
      best = candidate;
      score = found;
      told(round, best, score);
    }
  }
  return best;
}

/** A constant by a factor, within its range. */
function movedBy({ parameters, times }: Constants, name: string, logFactor: number): Constants {
  const [least, most] = RANGES[name] ?? [0, 0];
  const present = { ...parameters, ...times }[name as keyof (NuwaParameters & OutlookTimes)];
  const value = Number(Math.min(most, Math.max(least, present * Math.exp(0.6 * logFactor))).toPrecision(3));
  return name in times
    ? { parameters, times: { ...times, [name]: value } }
    : { parameters: { ...parameters, [name]: value }, times };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
