/** What our transport costs a server, beside aioquic as it comes. */
import type { CellMetrics } from "../cell/metrics.ts";
import type { MediaServerCommand } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { atLeast, medianFigure, ratios, valuesOf } from "./figures.ts";

const BYTES = 100_000_000;
const STOCK_SERVER: MediaServerCommand = ["-m", "e2e.browser.bench.stock_aioquic_server"];

export const READS = ["repeats", "preset"] as const;

export async function run(bench: BenchContext): Promise<Figure[]> {
  const shared: CellChanges = {
    name: "bench-loopback",
    link: null,
    workload: { kind: "bulk", bytes: BYTES },
  };
  const { nuwa, cubic, stock } = await bench.interleave({
    nuwa: { ...shared, scheme: "nuwa", preset: bench.presetOr("on-demand") },
    cubic: { ...shared, scheme: "cubic" },
    stock: { ...shared, scheme: "cubic", mediaServer: STOCK_SERVER },
  });
  const megabitsPerCpuSecond = ({ serverCpuSeconds }: CellMetrics) =>
    serverCpuSeconds === null ? null : (BYTES * 8) / 1e6 / serverCpuSeconds;
  const efficiency = {
    nuwa: valuesOf(nuwa, megabitsPerCpuSecond),
    cubic: valuesOf(cubic, megabitsPerCpuSecond),
    stock: valuesOf(stock, megabitsPerCpuSecond),
  };
  const goodput = (metrics: CellMetrics) => metrics.goodputMegabitsPerSecond;
  return [
    medianFigure("Nuwa, per CPU second", efficiency.nuwa, "Mbit"),
    medianFigure("our CUBIC, per CPU second", efficiency.cubic, "Mbit"),
    medianFigure("stock aioquic's CUBIC, per CPU second", efficiency.stock, "Mbit"),
    medianFigure("Nuwa / stock", ratios(efficiency.nuwa, efficiency.stock), "", atLeast(0.95)),
    medianFigure("our CUBIC / stock", ratios(efficiency.cubic, efficiency.stock)),
    medianFigure("goodput of Nuwa", valuesOf(nuwa, goodput), "Mbit/s"),
    medianFigure("goodput of our CUBIC", valuesOf(cubic, goodput), "Mbit/s"),
    medianFigure("goodput of stock aioquic's CUBIC", valuesOf(stock, goodput), "Mbit/s"),
  ];
}
