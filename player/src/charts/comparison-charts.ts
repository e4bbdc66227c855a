import type { ChartSpec, SeriesSpec } from "./spec.ts";

const MEASURES = ["estimate", "delay", "buffer", "bitrate"] as const;
type Measure = (typeof MEASURES)[number];
export const SIDES = ["left", "right"] as const;
export type Side = (typeof SIDES)[number];
export type ComparisonColumn = "capacity" | `${Side}-${Measure}`;

export const COMPARISON_COLUMNS: readonly ComparisonColumn[] = [
  "capacity",
  ...SIDES.flatMap((side) => MEASURES.map((measure) => `${side}-${measure}` as const)),
];

const pair = (
  measure: Measure,
  shape: SeriesSpec["shape"],
  digits: number,
): SeriesSpec<ComparisonColumn>[] => [
  { column: `left-${measure}`, label: "left", colour: "--series-a", shape, digits },
  { column: `right-${measure}`, label: "right", colour: "--series-b", shape, dash: [6, 4], digits },
];

/** The charts of two films over the same link: the left one solid, the right one dashed. */
export const COMPARISON_CHARTS: readonly ChartSpec<ComparisonColumn>[] = [
  {
    name: "estimate",
    title: "Rule’s estimate",
    unit: "Mbit/s",
    leastTop: 2,
    series: [
      { column: "capacity", label: "link", colour: "--series-truth", shape: "area", digits: 1 },
      ...pair("estimate", "line", 1),
    ],
  },
  { name: "delay", title: "Queueing delay", unit: "ms", leastTop: 20, series: pair("delay", "line", 0) },
  { name: "buffer", title: "Buffer", unit: "s", leastTop: 10, series: pair("buffer", "line", 1) },
  {
    name: "bitrate",
    title: "Bitrate played",
    unit: "Mbit/s",
    leastTop: 2,
    series: pair("bitrate", "step", 2),
  },
];
