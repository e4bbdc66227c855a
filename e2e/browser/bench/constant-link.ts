/** A steady link: what Nuwa's short queue costs, and how well the page knows queue and capacity. */
import type { FilmWorkload } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { medianFigure, ratios, valuesOf } from "./figures.ts";

const LINK = { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 };
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;
const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 15, seeks: [] };

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-24mbit", link: LINK, workload: DOWNLOAD };
  const { nuwa, cubic, film } = await bench.interleave({
    nuwa: { ...shared, scheme: "nuwa", preset: bench.presetOr("interactive") },
    cubic: { ...shared, scheme: "cubic" },
    film: { ...shared, scheme: "nuwa", workload: FILM },
  });
  const ofNuwa = valuesOf(nuwa, (metrics) => metrics.goodputMegabitsPerSecond);
  const ofCubic = valuesOf(cubic, (metrics) => metrics.goodputMegabitsPerSecond);
  const ms = (what: string, value?: number) => ({
    ...{ what, unit: "ms" },
    ...(value === undefined ? {} : { reach: { comparison: "at most", value } as const }),
  });
  return [
    medianFigure({ what: "goodput of Nuwa", unit: "Mbit/s" }, ofNuwa),
    medianFigure({ what: "goodput of CUBIC", unit: "Mbit/s" }, ofCubic),
    medianFigure(
      { what: "goodput, Nuwa / CUBIC", unit: "", reach: { comparison: "at least", value: 0.99 } },
      ratios(ofNuwa, ofCubic),
    ),
    medianFigure(
      ms("queueing delay of Nuwa, mean", 15),
      valuesOf(nuwa, ({ link }) => link?.queueingDelayMeanMs),
    ),
    medianFigure(
      ms("queueing delay of Nuwa, p95", 20),
      valuesOf(nuwa, ({ link }) => link?.queueingDelayP95Ms),
    ),
    medianFigure(
      ms("queueing delay of Nuwa, max", 60),
      valuesOf(nuwa, ({ link }) => link?.queueingDelayMaxMs),
    ),
    medianFigure(
      ms("queueing delay of CUBIC, mean"),
      valuesOf(cubic, ({ link }) => link?.queueingDelayMeanMs),
    ),
    medianFigure(
      ms("queueing delay of CUBIC, p95"),
      valuesOf(cubic, ({ link }) => link?.queueingDelayP95Ms),
    ),
    medianFigure(
      ms("queueing delay, page against link", 2),
      valuesOf(nuwa, (metrics) => metrics.pageDelayErrorMs),
    ),
    medianFigure(
      {
        ...{ what: "bandwidth error of Nuwa's estimate, download", unit: "%" },
        reach: { comparison: "at most", value: 5 },
      },
      valuesOf(nuwa, ({ receiverEstimate }) => percent(receiverEstimate?.ofPayloadCapacity)),
    ),
    medianFigure(
      { what: "same, of the capacity with headers", unit: "%" },
      valuesOf(nuwa, ({ receiverEstimate }) => percent(receiverEstimate?.ofLinkCapacity)),
    ),
    medianFigure(
      { what: "bandwidth error of Nuwa's estimate, film", unit: "%" },
      valuesOf(film, ({ receiverEstimate }) => percent(receiverEstimate?.ofPayloadCapacity)),
    ),
    medianFigure(
      { what: "bandwidth error of dash.js's estimate, same film", unit: "%" },
      valuesOf(film, ({ dashjsEstimate }) => percent(dashjsEstimate?.ofPayloadCapacity)),
    ),
  ];
}

function percent(ratio: number | null | undefined): number | null {
  return ratio === null || ratio === undefined ? null : ratio * 100;
}
