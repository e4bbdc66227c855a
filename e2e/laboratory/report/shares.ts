/** How several flows shared the link in one run: each one's part of what all got, and Jain's index. */
import type { TopLevelSpec } from "vega-lite";
import { SHARE_SECONDS, type ShareBin } from "../fairness.ts";
import { renderChart } from "./chart.ts";
import { CHART_WIDTH } from "./time-series.ts";

/** By this part of themselves bins overlap, or the paper would shine through between them. */
const SEAM = 0.03;

export interface SharesOptions {
  name: string;
  bins: readonly ShareBin[];
  /** Of each flow. */
  colours: readonly string[];
}

export async function sharesChart({ name, bins, colours }: SharesOptions): Promise<string> {
  const durationSeconds = bins.length * SHARE_SECONDS;
  const rows = bins.flatMap(({ timeSeconds, bitsPerSecond }) => {
    const sum = bitsPerSecond.reduce((total: number, rate) => total + (rate ?? 0), 0);
    let below = 0;
    return bitsPerSecond.map((rate, flow) => {
      const lower = below;
      below += sum === 0 ? 0 : (rate ?? 0) / sum;
      const span = { from: timeSeconds, to: timeSeconds + SHARE_SECONDS * (1 + SEAM), lower, upper: below };
      return { ...span, colour: colours[flow] };
    });
  });
  const x = (axis: object) => ({
    ...{ field: "from", type: "quantitative", scale: { domain: [0, durationSeconds], nice: false } },
    axis: { grid: false, tickCount: 6, ...axis },
  });
  const spec = {
    ...{ spacing: 8, padding: 4 },
    vconcat: [
      {
        ...{ width: CHART_WIDTH, height: 90, data: { values: rows } },
        mark: { type: "rect", stroke: null },
        encoding: {
          ...{ x: x({ labels: false, ticks: false, title: null }), x2: { field: "to" } },
          y: {
            ...{ field: "lower", type: "quantitative", scale: { domain: [0, 1], nice: false } },
            axis: { title: "Share", values: [0, 0.5, 1], format: ".0%", minExtent: 34 },
          },
          y2: { field: "upper" },
          color: { field: "colour", type: "nominal", scale: null, legend: null },
        },
      },
      {
        ...{ width: CHART_WIDTH, height: 60 },
        data: {
          values: bins.map(({ timeSeconds, jain }) => ({ from: timeSeconds + SHARE_SECONDS / 2, jain })),
        },
        mark: { type: "line", color: "var(--ink)", invalid: "break-paths-filter-domains" },
        encoding: {
          x: x({ title: "Time (s)" }),
          y: {
            ...{ field: "jain", type: "quantitative", scale: { domain: [0, 1], nice: false } },
            axis: { title: "Jain", values: [0, 0.5, 1], minExtent: 34 },
          },
        },
      },
    ],
  };
  return renderChart(
    spec as unknown as TopLevelSpec,
    `${name}: share of each flow over time, and Jain's index`,
  );
}
