/** One run over time: what was delivered beneath the link's capacity, and the queueing delay. */
import type { TopLevelSpec } from "vega-lite";
import { mean } from "../../browser/statistics.ts";
import { type FlowPlan, INTERVAL_SECONDS } from "../plan.ts";
import type { Intervals } from "../result.ts";
import { renderChart } from "./chart.ts";

export const CHART_WIDTH = 300;
const MOST_POINTS = 150;
const LEAST_DELAY_MS = 1;

export interface TimeSeriesOptions {
  /** For a person who does not see the chart. */
  name: string;
  intervals: Intervals;
  flows: readonly FlowPlan[];
  /** Of each flow. */
  colours: readonly string[];
  /** The same for all charts that are to be compared. */
  scale: TimeSeriesScale;
}

export interface TimeSeriesScale {
  durationSeconds: number;
  mostBitsPerSecond: number;
  mostDelayMs: number;
}

/** Room for all of these runs. */
export function commonScale(runs: readonly Intervals[], durationSeconds: number): TimeSeriesScale {
  const binned = runs.map((run) => bins(run, durationSeconds));
  const largest = (values: readonly (number | null)[]) =>
    values.reduce((most: number, value) => Math.max(most, value ?? 0), 0);
  return {
    durationSeconds,
    mostBitsPerSecond: largest(
      binned.flatMap(({ capacity, flows }) => [...capacity, ...flows.flatMap((flow) => flow.delivered)]),
    ),
    mostDelayMs: largest(binned.flatMap(({ flows }) => flows.flatMap((flow) => flow.delay))),
  };
}

export async function timeSeriesChart(options: TimeSeriesOptions): Promise<string> {
  const { name, intervals, scale } = options;
  const { times, capacity } = bins(intervals, scale.durationSeconds);
  const rows = rowsOf(options);
  const x = (axis: object) =>
    ({
      ...{ field: "time", type: "quantitative" },
      scale: { domain: [0, scale.durationSeconds], nice: false },
      axis: { grid: false, tickCount: 6, ...axis },
    }) as const;
  const series = {
    color: { field: "colour", type: "nominal", scale: null, legend: null },
    detail: { field: "flow" },
  } as const;
  const spec = {
    spacing: 8,
    padding: 4,
    vconcat: [
      {
        ...{ width: CHART_WIDTH, height: 110 },
        layer: [
          {
            data: { values: times.map((time, index) => ({ time, capacity: (capacity[index] ?? 0) / 1e6 })) },
            mark: { type: "area", interpolate: "step-after", color: "var(--capacity)", line: false },
            encoding: {
              x: x({ labels: false, ticks: false, title: null }),
              y: rate(scale.mostBitsPerSecond / 1e6, "capacity"),
            },
          },
          {
            data: { values: rows },
            mark: { type: "line", invalid: "break-paths-filter-domains" },
            encoding: {
              x: x({ labels: false, ticks: false, title: null }),
              y: rate(scale.mostBitsPerSecond / 1e6, "rate"),
              ...series,
            },
          },
        ],
      },
      {
        ...{ width: CHART_WIDTH, height: 70 },
        data: { values: rows },
        mark: { type: "line", invalid: "break-paths-filter-domains" },
        encoding: {
          x: x({ title: "Time (s)" }),
          y: {
            ...{ field: "delay", type: "quantitative" },
            scale: { type: "log", domain: [LEAST_DELAY_MS, Math.max(10, scale.mostDelayMs)], nice: false },
            axis: { title: "Delay (ms)", values: [1, 10, 100, 1000, 10_000], format: "~r", minExtent: 32 },
          },
          ...series,
        },
      },
    ],
  };
  return renderChart(
    spec as unknown as TopLevelSpec,
    `${name} over time: rate beneath the link's capacity, and queueing delay`,
  );
}

function rowsOf({ intervals, flows, colours, scale }: TimeSeriesOptions) {
  const binned = bins(intervals, scale.durationSeconds);
  return flows.flatMap(({ startSeconds, stopSeconds }, flow) =>
    binned.times.map((time, index) => {
      const isThere = time >= startSeconds && time < (stopSeconds ?? Number.POSITIVE_INFINITY);
      const { delivered = [], delay = [] } = binned.flows[flow] ?? {};
      const delayMs = delay[index] ?? null;
      return {
        ...{ time, flow: String(flow + 1), colour: colours[flow] },
        rate: isThere ? (delivered[index] ?? 0) / 1e6 : null,
        delay: delayMs === null ? null : Math.max(LEAST_DELAY_MS, delayMs),
      };
    }),
  );
}

function rate(most: number, field: string) {
  return {
    ...{ field, type: "quantitative", stack: null },
    scale: { domain: [0, most] },
    axis: { title: "Mbit/s", tickCount: 4, minExtent: 32 },
  };
}

/** A run in at most MOST_POINTS stretches, each the mean of whole intervals. */
function bins({ capacityBitsPerSecond, flows }: Intervals, durationSeconds: number) {
  const size = Math.max(1, Math.ceil(durationSeconds / INTERVAL_SECONDS / MOST_POINTS));
  const count = Math.floor(capacityBitsPerSecond.length / size);
  const means = (values: readonly (number | null)[]) =>
    Array.from({ length: count }, (_, index) =>
      mean(values.slice(index * size, (index + 1) * size).filter((value) => value !== null)),
    );
  return {
    times: Array.from({ length: count }, (_, index) => index * size * INTERVAL_SECONDS),
    capacity: means(capacityBitsPerSecond),
    flows: flows.map((flow) => ({
      delivered: means(flow.deliveredBitsPerSecond),
      delay: means(flow.queueingDelayMeanMs),
    })),
  };
}
