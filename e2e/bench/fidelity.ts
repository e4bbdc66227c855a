import { type LoadedLink, loadedLink } from "../laboratory/matrix.ts";
import { PLACES, type Place } from "../laboratory/plan.ts";
import type { RunResult } from "../laboratory/result.ts";
import { startOfSeed } from "../laboratory/trace-window.ts";
import { findTraces } from "../link/trace.ts";
import { mean } from "../statistics.ts";
import type { BenchContext, Benchmark, Figure } from "./benchmark.ts";
import { bulkFlow, linkRun, resultsOf } from "./link-runs.ts";
import { markdownTable } from "./table.ts";

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

/** Means over the repeats. */
interface Outcome {
  throughputMbps: number;
  delayMs: number;
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
    return { ...one, outcomes: Object.fromEntries(outcomes) as Record<Place, Outcome | null> };
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

/** null where a run failed. */
function outcomeOf(results: readonly (RunResult | null)[]): Outcome | null {
  const flows = results.map((result) => result?.flows[0] ?? null);
  const throughputs = flows.map((flow) => (flow === null ? null : flow.throughputBitsPerSecond / 1e6));
  const delays = flows.map((flow) => flow?.queueingDelay?.meanMs ?? null);
  const [throughputMbps, delayMs] = [throughputs, delays].map((values) =>
    values.includes(null) ? null : mean(values as number[]),
  );
  return throughputMbps == null || delayMs == null ? null : { throughputMbps, delayMs };
}

function comparison(rows: readonly (Case & { outcomes: Readonly<Record<Place, Outcome | null>> })[]): string {
  const places = [REFERENCE, ...PLACES.filter((place) => place !== REFERENCE)] as const;
  return markdownTable([
    ["link", "scheme", ...places.flatMap((place) => [`Mbit/s, ${place}`, `queueing delay, ${place}`])],
    ...rows.map(({ scheme, link, outcomes }) => [
      link.traces.name,
      scheme,
      ...places.flatMap((place) => {
        const outcome = outcomes[place];
        return outcome === null
          ? ["failed", "failed"]
          : [outcome.throughputMbps.toFixed(2), `${outcome.delayMs.toFixed(1)} ms`];
      }),
    ]),
  ]);
}

function figuresOf(what: string, outcome: Outcome | null, reference: Outcome | null): Figure[] {
  const areKnown = outcome !== null && reference !== null;
  return [
    {
      ...{ what: `${what}: throughput, how far apart`, unit: "%", samples: [] },
      value: areKnown ? Math.abs(outcome.throughputMbps / reference.throughputMbps - 1) * 100 : null,
      reach: { comparison: "at most", value: LARGEST_DEVIATION * 100 },
    },
    {
      ...{ what: `${what}: mean queueing delay, how far apart`, unit: "ms", samples: [] },
      value: areKnown ? Math.abs(outcome.delayMs - reference.delayMs) : null,
      reach: {
        comparison: "at most",
        value: Math.max(LARGEST_DELAY_MS, LARGEST_DELAY_SHARE * (reference?.delayMs ?? 0)),
      },
    },
  ];
}
