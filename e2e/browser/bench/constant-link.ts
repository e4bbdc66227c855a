/** A steady link: what Nuwa's short queue costs, and how well the page knows queue and capacity. */

import type { CellMetrics } from "../cell/metrics.ts";
import type { FilmWorkload } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { medianFigure, percent, ratios, valuesOf } from "./figures.ts";

const LINK = { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 };
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;
const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 15, seeks: [] };

interface Row {
  of: "nuwa" | "cubic" | "film";
  what: string;
  unit: string;
  read: (metrics: CellMetrics) => number | null | undefined;
  atMost?: number;
}

const ROWS: readonly Row[] = [
  {
    of: "nuwa",
    what: "queueing delay of Nuwa, mean",
    unit: "ms",
    read: ({ link }) => link?.queueingDelayMeanMs,
    atMost: 15,
  },
  {
    of: "nuwa",
    what: "queueing delay of Nuwa, p95",
    unit: "ms",
    read: ({ link }) => link?.queueingDelayP95Ms,
    atMost: 20,
  },
  {
    of: "nuwa",
    what: "queueing delay of Nuwa, max",
    unit: "ms",
    read: ({ link }) => link?.queueingDelayMaxMs,
    atMost: 60,
  },
  {
    of: "cubic",
    what: "queueing delay of CUBIC, mean",
    unit: "ms",
    read: ({ link }) => link?.queueingDelayMeanMs,
  },
  {
    of: "cubic",
    what: "queueing delay of CUBIC, p95",
    unit: "ms",
    read: ({ link }) => link?.queueingDelayP95Ms,
  },
  {
    of: "nuwa",
    what: "queueing delay, page against link",
    unit: "ms",
    read: (all) => all.pageDelayErrorMs,
    atMost: 2,
  },
  {
    ...{ of: "nuwa", what: "bandwidth error of Nuwa's estimate, download", unit: "%", atMost: 5 },
    read: ({ receiverEstimate }) => percent(receiverEstimate?.ofPayloadCapacity),
  },
  {
    ...{ of: "nuwa", what: "same, of the capacity with headers", unit: "%" },
    read: ({ receiverEstimate }) => percent(receiverEstimate?.ofLinkCapacity),
  },
  {
    ...{ of: "film", what: "bandwidth error of Nuwa's estimate, film", unit: "%" },
    read: ({ receiverEstimate }) => percent(receiverEstimate?.ofPayloadCapacity),
  },
  {
    ...{ of: "film", what: "bandwidth error of dash.js's estimate, same film", unit: "%" },
    read: ({ dashjsEstimate }) => percent(dashjsEstimate?.ofPayloadCapacity),
  },
];

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-24mbit", link: LINK, workload: DOWNLOAD };
  const cells = await bench.interleave({
    nuwa: { ...shared, scheme: "nuwa", preset: bench.presetOr("interactive") },
    cubic: { ...shared, scheme: "cubic" },
    film: { ...shared, scheme: "nuwa", workload: FILM },
  });
  const ofNuwa = valuesOf(cells.nuwa, (metrics) => metrics.goodputMegabitsPerSecond);
  const ofCubic = valuesOf(cells.cubic, (metrics) => metrics.goodputMegabitsPerSecond);
  return [
    medianFigure({ what: "goodput of Nuwa", unit: "Mbit/s" }, ofNuwa),
    medianFigure({ what: "goodput of CUBIC", unit: "Mbit/s" }, ofCubic),
    medianFigure(
      { what: "goodput, Nuwa / CUBIC", unit: "", reach: { comparison: "at least", value: 0.99 } },
      ratios(ofNuwa, ofCubic),
    ),
    ...ROWS.map(({ of, what, unit, read, atMost }) =>
      medianFigure(
        {
          what,
          unit,
          ...(atMost === undefined ? {} : { reach: { comparison: "at most", value: atMost } as const }),
        },
        valuesOf(cells[of], read),
      ),
    ),
  ];
}
