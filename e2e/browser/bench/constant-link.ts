/** A steady link: what Nuwa's short queue costs, and how well the page knows queue and capacity. */

import type { CellMetrics } from "../cell/metrics.ts";
import type { FilmWorkload } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { atLeast, atMost, medianFigure, percent, ratios, valuesOf } from "./figures.ts";

const LINK = { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 };
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;
const FILM: FilmWorkload = { kind: "film", source: { kind: "demo" }, watchSeconds: 15, seeks: [] };

const meanDelay = ({ link }: CellMetrics) => link?.queueingDelayMeanMs;
const p95Delay = ({ link }: CellMetrics) => link?.queueingDelayP95Ms;
const ofPayload = ({ receiverEstimate }: CellMetrics) => percent(receiverEstimate?.ofPayloadCapacity);

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-24mbit", link: LINK, workload: DOWNLOAD };
  const { nuwa, cubic, film } = await bench.interleave({
    nuwa: { ...shared, scheme: "nuwa", preset: bench.presetOr("interactive") },
    cubic: { ...shared, scheme: "cubic" },
    film: { ...shared, scheme: "nuwa", workload: FILM },
  });
  const ofNuwa = valuesOf(nuwa, (metrics) => metrics.goodputMegabitsPerSecond);
  const ofCubic = valuesOf(cubic, (metrics) => metrics.goodputMegabitsPerSecond);
  return [
    medianFigure("goodput of Nuwa", ofNuwa, "Mbit/s"),
    medianFigure("goodput of CUBIC", ofCubic, "Mbit/s"),
    medianFigure("goodput, Nuwa / CUBIC", ratios(ofNuwa, ofCubic), "", atLeast(0.99)),
    medianFigure("queueing delay of Nuwa, mean", valuesOf(nuwa, meanDelay), "ms", atMost(15)),
    medianFigure("queueing delay of Nuwa, p95", valuesOf(nuwa, p95Delay), "ms", atMost(20)),
    medianFigure(
      "queueing delay of Nuwa, max",
      valuesOf(nuwa, ({ link }) => link?.queueingDelayMaxMs),
      "ms",
      atMost(60),
    ),
    medianFigure("queueing delay of CUBIC, mean", valuesOf(cubic, meanDelay), "ms"),
    medianFigure("queueing delay of CUBIC, p95", valuesOf(cubic, p95Delay), "ms"),
    medianFigure(
      "queueing delay, page against link",
      valuesOf(nuwa, (all) => all.pageDelayErrorMs),
      "ms",
      atMost(2),
    ),
    medianFigure("bandwidth error of Nuwa's estimate, download", valuesOf(nuwa, ofPayload), "%", atMost(5)),
    medianFigure(
      "same, of the capacity with headers",
      valuesOf(nuwa, ({ receiverEstimate }) => percent(receiverEstimate?.ofLinkCapacity)),
      "%",
    ),
    medianFigure("bandwidth error of Nuwa's estimate, film", valuesOf(film, ofPayload), "%"),
    medianFigure(
      "bandwidth error of dash.js's estimate, same film",
      valuesOf(film, ({ dashjsEstimate }) => percent(dashjsEstimate?.ofPayloadCapacity)),
      "%",
    ),
  ];
}
