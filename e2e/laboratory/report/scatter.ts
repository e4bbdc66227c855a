/**
 * Throughput against p95 queueing delay, as in the papers: the delay's axis runs backwards, so that better is up and right. Runs meet
 * different stretches of a trace; each one's throughput is scaled to the mean capacity, so that what differs is the schemes' doing.
 */
import type { TopLevelSpec } from "vega-lite";
import { mean } from "../../statistics.ts";
import type { ArmSummary } from "../analysis.ts";
import { centreOf, confidenceEllipse, type Point } from "../ellipse.ts";
import { FONT_SIZE, renderChart, seriesColour, seriesShape } from "./chart.ts";
import { type LabelledPoint, placeLabels } from "./place-labels.ts";
import { type Frame, frameOf, LEAST_DELAY_MS } from "./scatter-frame.ts";

/** With fewer runs the region is wider than any chart. */
const LEAST_FOR_ELLIPSE = 4;
const STAR_PATH =
  "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118L-0.9511,-0.309L-0.2245,-0.309Z";
const STAR: Look = { colour: "var(--ink)", shape: STAR_PATH, size: 190 };
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];

export interface ScatterOptions {
  arms: readonly ArmSummary[];
  /** What a sender that knows the link gets; null where there is none. */
  reference: ArmSummary | null;
  /** Which colour and shape an arm has. */
  seriesOf: (arm: ArmSummary) => number;
  width: number;
  height: number;
}

interface Look {
  colour: string;
  shape: string;
  size: number;
}

interface Series extends Look {
  name: string;
  /** x is the delay's decadic logarithm, y Mbit/s. */
  points: Point[];
  centre: Point;
}

/** null where there is nothing to draw. */
export async function scatterChart(options: ScatterOptions): Promise<string | null> {
  const { arms, reference, seriesOf } = options;
  const capacity = meanCapacity(options);
  if (capacity === null) return null;
  const series = [
    ...arms.flatMap((arm) => seriesFrom(arm, capacity, armLook(seriesOf(arm)))),
    ...(reference === null ? [] : seriesFrom(reference, capacity, STAR)),
  ];
  if (series.length === 0) return null;
  return renderChart(scatterSpec(series, capacity, options), describe(series));
}

function armLook(series: number): Look {
  return { colour: seriesColour(series), shape: seriesShape(series), size: 90 };
}

/** @param capacity of the link, in the mean of all runs, bits per second */
function seriesFrom({ arm, figures }: ArmSummary, capacity: number, look: Look): Series[] {
  const points = figures.flatMap(({ delayP95Ms, utilisation }) =>
    delayP95Ms === null || utilisation === null
      ? []
      : [{ x: Math.log10(Math.max(LEAST_DELAY_MS, delayP95Ms)), y: (utilisation * capacity) / 1e6 }],
  );
  return points.length === 0 ? [] : [{ name: arm.name, ...look, points, centre: centreOf(points) }];
}

function scatterSpec(series: readonly Series[], capacity: number, options: ScatterOptions): TopLevelSpec {
  const ellipses = series.map(
    ({ points }) => (points.length < LEAST_FOR_ELLIPSE ? null : confidenceEllipse(points)) ?? [],
  );
  const frame = frameOf(
    series.flatMap(({ points }) => points),
    ellipses.flat(),
  );
  const x = { field: "delay", type: "quantitative" } as const;
  const y = { field: "throughput", type: "quantitative" } as const;
  const paint = { scale: null, legend: null } as const;
  return {
    ...{ width: options.width, height: options.height, padding: 4 },
    title: { text: "better \u2197", anchor: "end", fontWeight: 400, color: "var(--muted)", offset: 4 },
    layer: [
      axesLayer(frame),
      capacityLayer(capacity / 1e6, frame),
      {
        data: { values: series.flatMap((one, index) => outline(one, ellipses[index] ?? [])) },
        mark: { type: "line", interpolate: "linear-closed", strokeWidth: 1.25, fillOpacity: 0.1, clip: true },
        encoding: {
          ...{ x, y, order: { field: "order" }, detail: { field: "name" } },
          stroke: { field: "colour", type: "nominal", ...paint },
          fill: { field: "colour", type: "nominal", ...paint },
        },
      },
      {
        data: { values: series.flatMap((one) => one.points.map((point) => datum(one, point))) },
        mark: { type: "point", filled: true, size: 18, opacity: 0.45, clip: true },
        encoding: { x, y, color: { field: "colour", type: "nominal", ...paint } },
      },
      {
        data: { values: series.map((one) => datum(one, one.centre)) },
        mark: { type: "point", filled: true, opacity: 1, stroke: "var(--paper)", strokeWidth: 1.5 },
        encoding: {
          ...{ x, y, fill: { field: "colour", type: "nominal", ...paint } },
          shape: { field: "shape", type: "nominal", ...paint },
          size: { field: "size", type: "quantitative", ...paint },
        },
      },
      ...labelLayers(series, frame, options),
    ],
    resolve: {
      scale: {
        color: "independent",
        fill: "independent",
        stroke: "independent",
        shape: "independent",
        size: "independent",
      },
    },
  } as TopLevelSpec;
}

/** Scales and axes, which all other layers share. */
function axesLayer({ x, y }: Frame) {
  const ticks = TICKS.filter((tick) => Math.log10(tick) >= x[0] && Math.log10(tick) <= x[1]);
  return {
    data: { values: [{}] },
    mark: { type: "point", color: "transparent" },
    encoding: {
      x: {
        datum: 10 ** x[0],
        type: "quantitative",
        scale: { type: "log", reverse: true, nice: false, domain: x.map((at) => 10 ** at) },
        axis: {
          title: "95th percentile of the queueing delay (ms)",
          values: ticks,
          format: "~r",
          labelFlush: false,
          grid: true,
        },
      },
      y: {
        datum: y[0],
        type: "quantitative",
        scale: { zero: false, nice: false, domain: [...y] },
        axis: { title: "Throughput (Mbit/s)", tickCount: 6, grid: true },
      },
    },
  };
}

/** Left out where it lies above everything. */
function capacityLayer(throughput: number, { y }: Frame) {
  return {
    data: { values: throughput > y[1] ? [] : [{ throughput }] },
    mark: { type: "rule", strokeDash: [5, 4], stroke: "var(--muted)" },
    encoding: { y: { field: "throughput", type: "quantitative" } },
  };
}

function labelLayers(series: readonly Series[], frame: Frame, { width, height }: ScatterOptions) {
  const toX = ({ x }: Point) => (1 - (x - frame.x[0]) / (frame.x[1] - frame.x[0])) * width;
  const toY = ({ y }: Point) => (1 - (y - frame.y[0]) / (frame.y[1] - frame.y[0])) * height;
  const fromX = (pixels: number) => 10 ** (frame.x[0] + (1 - pixels / width) * (frame.x[1] - frame.x[0]));
  const fromY = (pixels: number) => frame.y[0] + (1 - pixels / height) * (frame.y[1] - frame.y[0]);
  const points: LabelledPoint[] = series.map(({ name, centre }) => ({
    x: toX(centre),
    y: toY(centre),
    text: name,
  }));
  const labels = placeLabels(points, { width, height, fontSize: FONT_SIZE });
  const place = (at: { x: number; y: number }) => ({ delay: fromX(at.x), throughput: fromY(at.y) });
  const leads = labels.flatMap(({ x, y, text, lead }) => {
    const middle = x + (text.length * FONT_SIZE * 0.56) / 2;
    const end = lead && place({ x: Math.abs(x - lead.x) < Math.abs(middle - lead.x) ? x : middle, y });
    return lead && end ? [{ ...place(lead), delay2: end.delay, throughput2: end.throughput }] : [];
  });
  const x = { field: "delay", type: "quantitative" } as const;
  const y = { field: "throughput", type: "quantitative" } as const;
  return [
    {
      data: { values: leads },
      mark: { type: "rule", stroke: "var(--line)", strokeWidth: 1 },
      encoding: { x, y, x2: { field: "delay2" }, y2: { field: "throughput2" } },
    },
    // once as a halo, which keeps lines off the letters
    ...[{ stroke: "var(--paper)", strokeWidth: 3.5, strokeJoin: "round" }, {}].map((look) => ({
      data: { values: labels.map((label) => ({ ...place(label), name: label.text })) },
      mark: { type: "text", align: "left", baseline: "middle", ...look },
      encoding: { x, y, text: { field: "name" } },
    })),
  ];
}

function datum({ name, colour, shape, size }: Series, { x, y }: Point) {
  return { name, colour, shape, size, delay: 10 ** x, throughput: y };
}

function outline({ name, colour }: Series, ellipse: readonly Point[]) {
  return ellipse.map(({ x, y }, order) => ({ name, colour, order, delay: 10 ** x, throughput: y }));
}

/** Bits per second, over all runs; null where none finished. */
function meanCapacity({ arms, reference }: ScatterOptions): number | null {
  const runs = [...arms, ...(reference === null ? [] : [reference])].flatMap(({ figures }) => figures);
  return mean(
    runs.map(({ capacityBitsPerSecond }) => capacityBitsPerSecond).filter((capacity) => capacity !== null),
  );
}

function describe(series: readonly Series[]): string {
  const parts = series.map(
    ({ name, centre }) => `${name} ${centre.y.toFixed(2)} Mbit/s at ${(10 ** centre.x).toFixed(1)} ms`,
  );
  return `Throughput against the 95th percentile of the queueing delay: ${parts.join("; ")}.`;
}
