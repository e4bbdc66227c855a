/** A link whose capacity changes all the time, with a deep queue. */
import type { Cell } from "../cell/run-cell.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { atLeast, atMost, medianFigure, ratios, valuesOf } from "./figures.ts";
import { OPEN_AT_LINK_SECONDS } from "./open-at-link.ts";

const LINK = { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 };
const DOWNLOAD = { kind: "bulk", bytes: 30_000_000 } as const;

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = {
    ...{ name: "bench-lte", link: LINK, workload: DOWNLOAD, openAtLinkSeconds: OPEN_AT_LINK_SECONDS },
  };
  const preset = bench.presetOr("bulk");
  const { kuafu, nuwa, cubic } = await bench.interleave({
    kuafu: { ...shared, scheme: "kuafu", preset },
    nuwa: { ...shared, scheme: "nuwa", preset },
    cubic: { ...shared, scheme: "cubic" },
  });
  return [
    medianFigure("goodput of CUBIC", goodputs(cubic), "Mbit/s"),
    medianFigure("queueing delay of CUBIC, p95", tails(cubic), "ms"),
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
    medianFigure(`goodput of ${title}`, goodputs(ours), "Mbit/s"),
    medianFigure(`goodput, ${title} / CUBIC`, ratios(goodputs(ours), goodputs(cubic)), "", atLeast(0.95)),
    medianFigure(`queueing delay of ${title}, p95`, tails(ours), "ms"),
    medianFigure(`p95 queueing delay, ${title} / CUBIC`, ratios(tails(ours), tails(cubic)), "", atMost(0.1)),
    medianFigure(
      `queueing delay with ${title}, page against link`,
      valuesOf(ours, (metrics) => metrics.pageDelayErrorMs),
      "ms",
    ),
    medianFigure(
      `bandwidth error of the estimate with ${title}, 1 s bins`,
      errors.map((ratio) => (ratio === null ? null : ratio * 100)),
      "%",
      atMost(20),
    ),
  ];
}
