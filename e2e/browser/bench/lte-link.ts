/** A link whose capacity changes all the time, with a deep queue. */
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { medianFigure, ratios, valuesOf } from "./figures.ts";

const LINK = { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 };
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-lte", link: LINK, workload: DOWNLOAD };
  const { nuwa, cubic } = await bench.interleave({
    nuwa: { ...shared, scheme: "nuwa", preset: bench.presetOr("bulk") },
    cubic: { ...shared, scheme: "cubic" },
  });
  const goodputs = {
    nuwa: valuesOf(nuwa, (metrics) => metrics.goodputMegabitsPerSecond),
    cubic: valuesOf(cubic, (metrics) => metrics.goodputMegabitsPerSecond),
  };
  const tails = {
    nuwa: valuesOf(nuwa, ({ link }) => link?.queueingDelayP95Ms),
    cubic: valuesOf(cubic, ({ link }) => link?.queueingDelayP95Ms),
  };
  const errors = valuesOf(nuwa, ({ nuwaEstimate }) => nuwaEstimate?.ofPayloadCapacity);
  return [
    medianFigure({ what: "goodput of Nuwa", unit: "Mbit/s" }, goodputs.nuwa),
    medianFigure({ what: "goodput of CUBIC", unit: "Mbit/s" }, goodputs.cubic),
    medianFigure(
      { what: "goodput, Nuwa / CUBIC", unit: "", reach: { comparison: "at least", value: 0.95 } },
      ratios(goodputs.nuwa, goodputs.cubic),
    ),
    medianFigure({ what: "queueing delay of Nuwa, p95", unit: "ms" }, tails.nuwa),
    medianFigure({ what: "queueing delay of CUBIC, p95", unit: "ms" }, tails.cubic),
    medianFigure(
      { what: "p95 queueing delay, Nuwa / CUBIC", unit: "", reach: { comparison: "at most", value: 0.1 } },
      ratios(tails.nuwa, tails.cubic),
    ),
    medianFigure(
      { what: "queueing delay, page against link", unit: "ms" },
      valuesOf(nuwa, (metrics) => metrics.pageDelayErrorMs),
    ),
    medianFigure(
      {
        ...{ what: "bandwidth error of Nuwa's estimate, 1 s bins", unit: "%" },
        reach: { comparison: "at most", value: 20 },
      },
      errors.map((ratio) => (ratio === null ? null : ratio * 100)),
    ),
  ];
}
