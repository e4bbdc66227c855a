/** A link whose capacity changes all the time, with a deep queue. */
import type { Cell } from "../cell/run-cell.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { medianFigure, ratios, valuesOf } from "./figures.ts";

const LINK = { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 };
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = { name: "bench-lte", link: LINK, workload: DOWNLOAD };
  const preset = bench.presetOr("bulk");
  const { kuafu, nuwa, cubic } = await bench.interleave({
    kuafu: { ...shared, scheme: "kuafu", preset },
    nuwa: { ...shared, scheme: "nuwa", preset },
    cubic: { ...shared, scheme: "cubic" },
  });
  return [
    medianFigure({ what: "goodput of CUBIC", unit: "Mbit/s" }, goodputs(cubic)),
    medianFigure({ what: "queueing delay of CUBIC, p95", unit: "ms" }, tails(cubic)),
    ...beside("Kuafu", kuafu, cubic),
    ...beside("Nuwa", nuwa, cubic),
  ];
}

const goodputs = (cells: readonly Cell[]) => valuesOf(cells, (metrics) => metrics.goodputMegabitsPerSecond);
const tails = (cells: readonly Cell[]) => valuesOf(cells, ({ link }) => link?.queueingDelayP95Ms);

/** A scheme whose receiver decides, by its title. */
function beside(title: string, ours: readonly Cell[], cubic: readonly Cell[]): Figure[] {
  const errors = valuesOf(ours, ({ receiverEstimate }) => receiverEstimate?.ofPayloadCapacity);
  return [
    medianFigure({ what: `goodput of ${title}`, unit: "Mbit/s" }, goodputs(ours)),
    medianFigure(
      { what: `goodput, ${title} / CUBIC`, unit: "", reach: { comparison: "at least", value: 0.95 } },
      ratios(goodputs(ours), goodputs(cubic)),
    ),
    medianFigure({ what: `queueing delay of ${title}, p95`, unit: "ms" }, tails(ours)),
    medianFigure(
      {
        what: `p95 queueing delay, ${title} / CUBIC`,
        unit: "",
        reach: { comparison: "at most", value: 0.1 },
      },
      ratios(tails(ours), tails(cubic)),
    ),
    medianFigure(
      { what: `queueing delay with ${title}, page against link`, unit: "ms" },
      valuesOf(ours, (metrics) => metrics.pageDelayErrorMs),
    ),
    medianFigure(
      {
        ...{ what: `bandwidth error of the estimate with ${title}, 1 s bins`, unit: "%" },
        reach: { comparison: "at most", value: 20 },
      },
      errors.map((ratio) => (ratio === null ? null : ratio * 100)),
    ),
  ];
}
