import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** A bin's start in s and its mean in Mbit/s; the last one of a chart ends the last bin. */
export type Point = [timeSeconds: number, megabitsPerSecond: number];

/** What `chart.py` writes. */
export interface Chart {
  title: string;
  subtitle: string;
  fine_bin_s: number;
  fine: Point[];
  coarse_bin_s: number;
  coarse: Point[];
  mean: number;
  p5: number;
  p95: number;
  outages_s: [from: number, to: number][];
}

const WIDTH = 880;
const HEIGHT = 260;
const STRIP = 6; // marks of outages along the top
const MARGIN = { left: 8, top: 8, right: 90, bottom: 8 }; // on the right the lines' names
const INK = { fine: "#9ecae1", coarse: "#08519c", line: "#444", outage: "#cb181d" };
const LABEL_HEIGHT = 14;

/** @returns SVG */
export async function drawTrace(chart: Chart): Promise<string> {
  const view = new View(parse(compile(specification(chart)).spec), { renderer: "none" });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}

function specification(chart: Chart): TopLevelSpec {
  return {
    background: "white",
    padding: MARGIN,
    title: { text: chart.title, subtitle: chart.subtitle, anchor: "start", subtitleColor: INK.line },
    width: WIDTH,
    height: HEIGHT,
    encoding: {
      x: {
        field: "time",
        type: "quantitative",
        title: "time, s",
        scale: { domain: [0, endOf(chart)], nice: false },
      },
      y: { field: "rate", type: "quantitative", title: "rate, Mbit/s", scale: { zero: true } },
    },
    layer: [...outageMarks(chart), ...rateLines(chart), ...figures(chart)],
    config: { view: { stroke: "#ddd" }, axis: { gridColor: "#eee" } },
  };
}

type Layers = Extract<TopLevelSpec, { layer: unknown }>["layer"];

function outageMarks({ outages_s }: Chart): Layers {
  const data = { values: outages_s.map(([time, until]) => ({ time, until })) };
  const height = { y: { value: 0 }, x2: { field: "until" } };
  return [
    {
      data,
      mark: { type: "rect", color: INK.outage, opacity: 0.1 },
      encoding: { ...height, y2: { value: HEIGHT } },
    },
    {
      data,
      mark: { type: "rect", color: INK.outage, stroke: INK.outage, strokeWidth: 0.6 },
      encoding: { ...height, y2: { value: STRIP } },
    },
  ];
}

function rateLines({ fine, fine_bin_s, coarse, coarse_bin_s }: Chart): Layers {
  const lines = [
    { points: fine, bins: binName(fine_bin_s), colour: INK.fine, width: 0.8 },
    { points: coarse, bins: binName(coarse_bin_s), colour: INK.coarse, width: 1.6 },
  ];
  const scale = { domain: lines.map(({ bins }) => bins), range: lines.map(({ colour }) => colour) };
  const legend = { orient: "bottom", symbolType: "stroke", symbolStrokeWidth: 3 } as const;
  return lines.map(({ points, bins, width }) => ({
    data: { values: points.map(([time, rate]) => ({ time, rate, bins })) },
    mark: { type: "line", interpolate: "step-after", strokeWidth: width },
    encoding: { color: { field: "bins", type: "nominal", title: null, scale, legend } },
  }));
}

/** Mean and percentiles, across and named on the right. */
function figures(chart: Chart): Layers {
  const lines = [
    { name: "p5", rate: chart.p5, dash: [4, 3] },
    { name: "mean", rate: chart.mean, dash: [] },
    { name: "p95", rate: chart.p95, dash: [4, 3] },
  ].toSorted((one, other) => one.rate - other.rate);
  const highest = Math.max(...chart.fine.map(([, rate]) => rate));
  const least = (highest * LABEL_HEIGHT) / HEIGHT;
  let below = Number.NEGATIVE_INFINITY;
  const labels = lines.map(({ name, rate }) => {
    below = Math.max(rate, below + least); // names must not lie on each other
    return { text: `${name} ${rate.toPrecision(3)}`, time: endOf(chart), rate: below };
  });
  return [
    ...lines.map(({ rate, dash }): Layers[number] => ({
      data: { values: [{ from: 0, rate }] },
      mark: { type: "rule", color: INK.line, strokeDash: dash },
      encoding: { x: { value: 0 }, x2: { value: WIDTH } },
    })),
    {
      data: { values: labels },
      mark: { type: "text", align: "left", baseline: "middle", dx: 6, color: INK.line },
      encoding: { text: { field: "text" } },
    },
  ];
}

function endOf({ fine }: Chart): number {
  return fine.at(-1)?.[0] ?? 0;
}

function binName(seconds: number): string {
  return `means of ${Number(seconds.toPrecision(3))} s`;
}
