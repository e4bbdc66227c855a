import type { ChartSpec, SeriesSpec } from "./spec.ts";

const MEASURES = ["estimate", "estimateStale", "delay", "delayStale", "target", "buffer", "bitrate"] as const;
type Measure = (typeof MEASURES)[number];
export const SIDES = ["left", "right"] as const;
export type Side = (typeof SIDES)[number];
export type ComparisonColumn = "capacity" | `${Side}-${Measure}`;

export const COMPARISON_COLUMNS: readonly ComparisonColumn[] = [
  "capacity",
  ...SIDES.flatMap((side) => MEASURES.map((measure) => `${side}-${measure}` as const)),
];

/** Of whose values charts of a long time show the highest. */
export const COMPARISON_PEAKS = ["left-delay", "right-delay"] as const satisfies readonly ComparisonColumn[];

/** Whose series it is; null for what both share. */
export function sideOf({ column }: SeriesSpec<ComparisonColumn>): Side | null {
  return SIDES.find((side) => column.startsWith(`${side}-`)) ?? null;
}

type Style = Pick<SeriesSpec, "shape" | "digits">;

/** Both films' lines: the left one solid, the right one dashed. */
const pair = (measure: Measure, style: Style, staleMeasure?: Measure): SeriesSpec<ComparisonColumn>[] =>
  SIDES.map((side) => ({
    column: `${side}-${measure}`,
    label: side,
    colour: side === "left" ? "--series-a" : "--series-b",
    ...style,
    ...(side === "left" ? {} : { dash: [6, 4] }),
    ...(staleMeasure === undefined ? {} : { staleColumn: `${side}-${staleMeasure}` as const }),
  }));

/** The charts of two films over the same link. */
export const COMPARISON_CHARTS: readonly ChartSpec<ComparisonColumn>[] = [
  {
    name: "estimate",
    title: "Rule’s estimate",
    unit: "Mbit/s",
    leastTop: 2,
    ruler: "capacity",
    series: [
      { column: "capacity", label: "link", colour: "--series-truth", shape: "area", digits: 1 },
      ...pair("estimate", { shape: "line", digits: 1 }, "estimateStale"),
    ],
  },
  {
    name: "delay",
    title: "Queueing delay",
    unit: "ms, log scale",
    leastTop: 100,
    isLog: true,
    series: [
      ...pair("delay", { shape: "line", digits: 0 }, "delayStale"),
      ...SIDES.map(
        (side): SeriesSpec<ComparisonColumn> => ({
          column: `${side}-target`,
          label: `target of ${side}`,
          colour: "--series-c",
          shape: "line",
          dash: [2, 3],
          digits: 0,
          isUnlisted: true,
        }),
      ),
    ],
  },
  {
    name: "buffer",
    title: "Buffer",
    unit: "s",
    leastTop: 40,
    series: pair("buffer", { shape: "line", digits: 1 }),
  },
  {
    name: "bitrate",
    title: "Bitrate played",
    unit: "Mbit/s",
    leastTop: 2,
    series: pair("bitrate", { shape: "step", digits: 2 }),
  },
];
