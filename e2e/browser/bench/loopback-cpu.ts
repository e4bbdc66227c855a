/** What our transport costs a server, beside aioquic as it comes. */
import type { CellMetrics } from "../cell/metrics.ts";
import type { MediaServerCommand } from "../cell/parameters.ts";
import type { BenchContext, CellChanges, Figure } from "./benchmark.ts";
import { medianFigure, ratios, valuesOf } from "./figures.ts";

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
    medianFigure({ what: "Nuwa, per CPU second", unit: "Mbit" }, efficiency.nuwa),
    medianFigure({ what: "our CUBIC, per CPU second", unit: "Mbit" }, efficiency.cubic),
    medianFigure({ what: "stock aioquic's CUBIC, per CPU second", unit: "Mbit" }, efficiency.stock),
    medianFigure(
      { what: "Nuwa / stock", unit: "", reach: { comparison: "at least", value: 0.95 } },
      ratios(efficiency.nuwa, efficiency.stock),
    ),
    medianFigure({ what: "our CUBIC / stock", unit: "" }, ratios(efficiency.cubic, efficiency.stock)),
    medianFigure({ what: "goodput of Nuwa", unit: "Mbit/s" }, valuesOf(nuwa, goodput)),
    medianFigure({ what: "goodput of our CUBIC", unit: "Mbit/s" }, valuesOf(cubic, goodput)),
    medianFigure({ what: "goodput of stock aioquic's CUBIC", unit: "Mbit/s" }, valuesOf(stock, goodput)),
  ];
}
