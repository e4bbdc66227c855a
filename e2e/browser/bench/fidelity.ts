import { type LoadedLink, loadedLink } from "../../laboratory/matrix.ts";
import { PLACES, type Place } from "../../laboratory/plan.ts";
import type { RunResult } from "../../laboratory/result.ts";
import { startOfSeed } from "../../laboratory/trace-window.ts";
import { findTraces } from "../link/trace.ts";
import { markdownTable } from "../markdown-table.ts";
import { mean } from "../statistics.ts";
import type { BenchContext, Benchmark, Figure, Sample } from "./benchmark.ts";
import { differences, ratios } from "./figures.ts";
import { bulkFlow, linkRun, resultsOf } from "./link-runs.ts";

const SCHEMES = ["newreno", "cubic", "bbr", "copa", "nuwa"];
const LINKS = [
  { trace: "24mbit", queuePackets: 300 },
  { trace: "TMobile-LTE-short", queuePackets: 1000 },
  { trace: "Verizon-LTE-short", queuePackets: 1000 },
];
const SETTINGS = { delayMs: 20, discipline: "droptail", lossRatio: 0 } as const;
const DURATION_SECONDS = 30;
const REFERENCE = "mahimahi";
const LARGEST_DEVIATION = 0.05;
const LARGEST_DELAY_SHARE = 0.1;
const LARGEST_DELAY_MS = 5;

/** Whether a scheme does the same in simulation, over the relay and under mahimahi. */
export const fidelity: Benchmark = {
  name: "fidelity",
  summary:
    "five schemes over 24 Mbit/s and two LTE traces, 30 s: simulation and relay beside mahimahi, means of the repeats",
  defaultRepeats: 3,
  places: PLACES,
  run,
};

interface Case {
  scheme: string;
  link: LoadedLink;
}

/** One value of each repeat; null where a run failed. */
interface Outcome {
  throughputsMbps: readonly Sample[];
  delaysMs: readonly Sample[];
}

async function run(bench: BenchContext): Promise<Figure[]> {
  const traces = bench.mahimahi?.traces ?? null;
  const links = await Promise.all(
    LINKS.map(async ({ trace, queuePackets }) =>
      loadedLink({ trace, queuePackets, ...SETTINGS }, await findTraces(trace, traces)),
    ),
  );
  const cases = links.flatMap((link) => SCHEMES.map((scheme): Case => ({ scheme, link })));
  const preset = bench.presetOr("on-demand");
  const seeds = Array.from({ length: bench.repeats }, (_, repeat) => repeat + 1);
  const runs = seeds.flatMap((seed) =>
    cases.flatMap(({ scheme, link }) =>
      PLACES.map((place) =>
        linkRun({
          ...{ link, place, seed, durationSeconds: DURATION_SECONDS },
          arm: { name: scheme, flows: [bulkFlow(scheme, preset)] },
          startMs: startOfSeed(seed, link.opportunitiesMs.at(-1) ?? 0),
        }),
      ),
    ),
  );
  const results = await resultsOf(bench, runs);
  const rows = cases.map((one) => {
    const outcomes = PLACES.map((place) => {
      const own = results.filter((_, index) => {
        const { plan, link } = runs[index] as (typeof runs)[number];
        return plan.place === place && link === one.link && plan.arm.name === one.scheme;
      });
      return [place, outcomeOf(own)] as const;
    });
    return { ...one, outcomes: Object.fromEntries(outcomes) as Record<Place, Outcome> };
  });
  bench.tables.push(comparison(rows));
  return rows.flatMap(({ scheme, link, outcomes }) =>
    PLACES.filter((place) => place !== REFERENCE).flatMap((place) =>
      figuresOf(
        `${scheme}, ${link.traces.name}, ${place} beside ${REFERENCE}`,
        outcomes[place],
        outcomes[REFERENCE],
      ),
    ),
  );
}

function outcomeOf(results: readonly (RunResult | null)[]): Outcome {
  const flows = results.map((result) => result?.flows[0] ?? null);
  return {
    throughputsMbps: flows.map((flow) => (flow === null ? null : flow.throughputBitsPerSecond / 1e6)),
    delaysMs: flows.map((flow) => flow?.queueingDelay?.meanMs ?? null),
  };
}

/** null where a repeat has none: the others would be compared with other stretches of the trace. */
function meanOf(samples: readonly Sample[]): number | null {
  return samples.includes(null) ? null : mean(samples.filter((sample) => sample !== null));
}

function comparison(rows: readonly (Case & { outcomes: Readonly<Record<Place, Outcome>> })[]): string {
  const places = [REFERENCE, ...PLACES.filter((place) => place !== REFERENCE)] as const;
  return markdownTable([
    ["link", "scheme", ...places.flatMap((place) => [`Mbit/s, ${place}`, `queueing delay, ${place}`])],
    ...rows.map(({ scheme, link, outcomes }) => [
      link.traces.name,
      scheme,
      ...places.flatMap((place) => {
        const throughputMbps = meanOf(outcomes[place].throughputsMbps);
        const delayMs = meanOf(outcomes[place].delaysMs);
        return throughputMbps === null || delayMs === null
          ? ["failed", "failed"]
          : [throughputMbps.toFixed(2), `${delayMs.toFixed(1)} ms`];
      }),
    ]),
  ]);
}

/** Of the means over the repeats; the samples beside them are the repeats' own, with their sign. */
export function figuresOf(what: string, outcome: Outcome, reference: Outcome): Figure[] {
  const [throughput, delay] = [meanOf(outcome.throughputsMbps), meanOf(outcome.delaysMs)];
  const [wanted, wantedDelay] = [meanOf(reference.throughputsMbps), meanOf(reference.delaysMs)];
  return [
    {
      ...{ what: `${what}: throughput, how far apart`, unit: "%" },
      samples: ratios(outcome.throughputsMbps, reference.throughputsMbps).map((ratio) =>
        ratio === null ? null : (ratio - 1) * 100,
      ),
      value: throughput === null || wanted === null ? null : Math.abs(throughput / wanted - 1) * 100,
      reach: { comparison: "at most", value: LARGEST_DEVIATION * 100 },
    },
    {
      ...{ what: `${what}: mean queueing delay, how far apart`, unit: "ms" },
      samples: differences(outcome.delaysMs, reference.delaysMs),
      value: delay === null || wantedDelay === null ? null : Math.abs(delay - wantedDelay),
      reach: {
        comparison: "at most",
        value: Math.max(LARGEST_DELAY_MS, LARGEST_DELAY_SHARE * (wantedDelay ?? 0)),
      },
    },
  ];
}
