/** Shipped policies in simulation and under mahimahi. */
import { describeMark } from "../../../laboratory/decisions.ts";
import { type LoadedLink, loadedLink } from "../../../laboratory/matrix.ts";
import type { Place } from "../../../laboratory/plan.ts";
import type { RunResult } from "../../../laboratory/result.ts";
import { startOfSeed } from "../../../laboratory/trace-window.ts";
import { findTraces } from "../../link/trace.ts";
import { mean } from "../../statistics.ts";
import type { BenchContext } from "../benchmark.ts";
import { bulkFlow, linkRun, resultsOf } from "../link-runs.ts";
import type { LearnedFigure, ShippedPolicy } from "./figures.ts";

const LINKS = [
  { trace: "24mbit", queuePackets: 300 },
  { trace: "lte-like", queuePackets: 1000 },
];
const SETTINGS = { delayMs: 20, discipline: "droptail", lossRatio: 0 } as const;
const DURATION_SECONDS = 30;
const SIMULATED = "simulation";
const EMULATED = "mahimahi";
/** In per cent. */
const LARGEST_DEVIATION = 10;

/** Means over the repeats. */
export interface Outcome {
  throughputMbps: number;
  delayMs: number;
}

/** null where a run failed, or its policy missed too many decisions. */
export interface EmulatedRow {
  title: string;
  link: string;
  simulation: Outcome | null;
  mahimahi: Outcome | null;
}

interface Case {
  policy: ShippedPolicy;
  link: LoadedLink;
}

export async function emulatedRows(
  bench: BenchContext,
  policies: readonly ShippedPolicy[],
): Promise<EmulatedRow[]> {
  const traces = bench.mahimahi?.traces ?? null;
  const links = await Promise.all(
    LINKS.map(async ({ trace, queuePackets }) =>
      loadedLink({ trace, queuePackets, ...SETTINGS }, await findTraces(trace, traces)),
    ),
  );
  const preset = bench.presetOr("on-demand");
  const cases = policies.flatMap((policy) => links.map((link): Case => ({ policy, link })));
  const seeds = Array.from({ length: bench.repeats }, (_, repeat) => repeat + 1);
  const runs = seeds.flatMap((seed) =>
    cases.flatMap(({ policy, link }) =>
      ([SIMULATED, EMULATED] as const).map((place) =>
        linkRun({
          ...{ link, place, seed, durationSeconds: DURATION_SECONDS },
          arm: { name: policy.scheme, flows: [bulkFlow(policy.scheme, preset)] },
          startMs: startOfSeed(seed, link.opportunitiesMs.at(-1) ?? 0),
        }),
      ),
    ),
  );
  const results = runs.length === 0 ? [] : await resultsOf(bench, runs);
  return cases.map((one) => {
    const outcomeIn = (place: Place): Outcome | null => {
      const flows = results.flatMap((result, index) => {
        const { plan, link } = runs[index] as (typeof runs)[number];
        const isOwn = plan.place === place && link === one.link && plan.arm.name === one.policy.scheme;
        return isOwn ? [flowOf(result)] : [];
      });
      const throughput = meanOfAll(flows.map((flow) => flow && flow.throughputBitsPerSecond / 1e6));
      const delay = meanOfAll(flows.map((flow) => flow?.queueingDelay?.meanMs ?? null));
      return throughput === null || delay === null ? null : { throughputMbps: throughput, delayMs: delay };
    };
    const { title } = one.policy;
    return {
      ...{ title, link: one.link.traces.name },
      ...{ simulation: outcomeIn(SIMULATED), mahimahi: outcomeIn(EMULATED) },
    };
  });
}

/** null of a run that failed, and of one that is marked: it was its heuristic's as much as its policy's. */
function flowOf(result: RunResult | null) {
  return result === null || describeMark(result) !== null ? null : (result.flows[0] ?? null);
}

/** How far apart both places are. */
export function emulationFigures({ title, link, simulation, mahimahi }: EmulatedRow): LearnedFigure[] {
  const apart = (read: (outcome: Outcome) => number) =>
    simulation === null || mahimahi === null ? null : Math.abs(read(simulation) / read(mahimahi) - 1) * 100;
  const figure = (what: string, value: number | null): LearnedFigure => ({
    ...{ what: `${title}, ${link}, simulation beside mahimahi: ${what}`, value, unit: "%", interval: null },
    reach: { comparison: "at most", value: LARGEST_DEVIATION },
    has_to_be_sure: false,
  });
  return [
    figure(
      "throughput, how far apart",
      apart(({ throughputMbps }) => throughputMbps),
    ),
    figure(
      "mean queueing delay, how far apart",
      apart(({ delayMs }) => delayMs),
    ),
  ];
}

/** null where one is missing. */
function meanOfAll(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : mean(values as number[]);
}
