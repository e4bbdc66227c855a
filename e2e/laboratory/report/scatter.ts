/**
 * Throughput against p95 queueing delay, as in the papers: the delay's axis runs backwards, so that better is up and right. Runs meet
 * different stretches of a trace; each one's throughput is scaled to the mean capacity, so that what differs is the schemes' doing.
 */
import type { TopLevelSpec } from "vega-lite";
import { mean } from "../../browser/statistics.ts";
import type { ArmSummary } from "../analysis.ts";
import { centreOf, confidenceEllipse, type Point } from "../ellipse.ts";
import { FONT_SIZE, renderChart, seriesColour, seriesShape } from "./chart.ts";
import { nestMarks } from "./nest-marks.ts";
import { CHARACTER_WIDTH, type LabelledPoint, placeLabels } from "./place-labels.ts";
import type { ScatterContents } from "./scatter-caption.ts";
import { type Drawing, type Frame, frameOf, fromPixels, LEAST_DELAY_MS, toPixels } from "./scatter-frame.ts";

/** With fewer runs the region is wider than any chart. */
const LEAST_FOR_ELLIPSE = 4;
const STAR_PATH =
  "M0,-1L0.2245,-0.309L0.9511,-0.309L0.3633,0.118L0.5878,0.809L0,0.382L-0.5878,0.809L-0.3633,0.118L-0.9511,-0.309L-0.2245,-0.309Z";
const STAR: Look = { colour: "var(--ink)", shape: STAR_PATH };
/** A star is mostly gaps. */
const STAR_SCALE = 1.45;
const DOT_RADIUS = 3;
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
}

interface Series extends Look {
  name: string;
  /** x is the delay's decadic logarithm, y Mbit/s. */
  points: Point[];
  centre: Point;
  /** Of its mark, pixels. */
  side: number;
}

export interface Scatter {
  svg: string;
  contents: ScatterContents;
}

/** null where there is nothing to draw. */
export async function scatterChart(options: ScatterOptions): Promise<Scatter | null> {
  const { arms, reference, seriesOf } = options;
  const capacity = meanCapacity(options);
  if (capacity === null) return null;
  const unsized = [
    ...(reference === null ? [] : seriesFrom(reference, capacity, STAR)),
    ...arms.flatMap((arm) => seriesFrom(arm, capacity, armLook(seriesOf(arm)))),
  ];
  if (unsized.length === 0) return null;
  const ellipses = unsized.map(
    ({ points }) => (points.length < LEAST_FOR_ELLIPSE ? null : confidenceEllipse(points)) ?? [],
  );
  const frame = frameOf(
    unsized.flatMap(({ points }) => points),
    ellipses.flat(),
  );
  const drawing = { frame, width: options.width, height: options.height };
  const sides = nestMarks(unsized.map(({ centre }) => toPixels(centre, drawing)));
  const series = unsized.map((one, index): Series => ({ ...one, side: sides[index] as number }));
  const svg = await renderChart(scatterSpec({ series, ellipses, capacity, drawing }), describe(series));
  return {
    svg,
    contents: {
      hasRuns: series.some(({ points }) => points.length > 1),
      hasEllipses: ellipses.some((outline) => outline.length > 0),
      hasStar: series.some(({ shape }) => shape === STAR_PATH),
      hasCapacity: isInFrame(capacity, frame),
      hasNestedMarks: new Set(sides).size > 1,
      beginsAt: frame.y[0],
    },
  };
}

function armLook(series: number): Look {
  return { colour: seriesColour(series), shape: seriesShape(series) };
}

/** @param capacity of the link, in the mean of all runs, bits per second */
function seriesFrom({ arm, figures }: ArmSummary, capacity: number, look: Look): Omit<Series, "side">[] {
  const points = figures.flatMap(({ delayP95Ms, utilisation }) =>
    delayP95Ms === null || utilisation === null
      ? []
      : [{ x: Math.log10(Math.max(LEAST_DELAY_MS, delayP95Ms)), y: (utilisation * capacity) / 1e6 }],
  );
  return points.length === 0 ? [] : [{ name: arm.name, ...look, points, centre: centreOf(points) }];
}

interface Content {
  series: readonly Series[];
  /** Of each. */
  ellipses: readonly (readonly Point[])[];
  capacity: number;
  drawing: Drawing;
}

function scatterSpec({ series, ellipses, capacity, drawing }: Content): TopLevelSpec {
  const { frame, width, height } = drawing;
  const x = { field: "delay", type: "quantitative" } as const;
  const y = { field: "throughput", type: "quantitative" } as const;
  const paint = { scale: null, legend: null } as const;
  return {
    ...{ width, height, padding: 4 },
    layer: [
      axesLayer(frame),
      ...(frame.y[0] > 0 ? axisBreakLayers(height) : []),
      directionLayer(width),
      capacityLayer(capacity, frame),
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
        mark: { type: "point", filled: true, size: (2 * DOT_RADIUS) ** 2 / 2, opacity: 0.45, clip: true },
        encoding: { x, y, color: { field: "colour", type: "nominal", ...paint } },
      },
      {
        // larger ones beneath
        data: {
          values: series.toSorted((one, other) => other.side - one.side).map((one) => datum(one, one.centre)),
        },
        mark: { type: "point", filled: true, opacity: 1, stroke: "var(--paper)", strokeWidth: 1.5 },
        encoding: {
          ...{ x, y, fill: { field: "colour", type: "nominal", ...paint } },
          shape: { field: "shape", type: "nominal", ...paint },
          size: { field: "size", type: "quantitative", ...paint },
        },
      },
      ...labelLayers(series, drawing),
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
function capacityLayer(capacity: number, frame: Frame) {
  return {
    data: { values: isInFrame(capacity, frame) ? [{ throughput: capacity / 1e6 }] : [] },
    mark: { type: "rule", strokeDash: [5, 4], stroke: "var(--muted)" },
    encoding: { y: { field: "throughput", type: "quantitative" } },
  };
}

function labelLayers(series: readonly Series[], drawing: Drawing) {
  const points: LabelledPoint[] = series.map(({ name, centre, side }) => ({
    ...toPixels(centre, drawing),
    ...{ text: name, radius: side / 2 },
  }));
  const dots = series.flatMap((one) => one.points.map((point) => toPixels(point, drawing)));
  const obstacles = dots.map(({ x, y }) => ({
    ...{ left: x - DOT_RADIUS, right: x + DOT_RADIUS, top: y - DOT_RADIUS, bottom: y + DOT_RADIUS },
  }));
  const { width, height } = drawing;
  const labels = placeLabels(points, { width, height, fontSize: FONT_SIZE, obstacles });
  const place = (pixels: Point) => {
    const { x, y } = fromPixels(pixels, drawing);
    return { delay: 10 ** x, throughput: y };
  };
  const leads = labels.flatMap(({ x, y, text, lead }) => {
    const middle = x + (text.length * FONT_SIZE * CHARACTER_WIDTH) / 2;
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

function isInFrame(capacity: number, { y }: Frame): boolean {
  return capacity / 1e6 <= y[1];
}

/** Above the drawing's right end. */
function directionLayer(width: number) {
  return {
    data: { values: [{}] },
    mark: { type: "text", align: "right", baseline: "bottom", text: "better \u2197", color: "var(--muted)" },
    encoding: { x: { value: width }, y: { value: -6 } },
  };
}

/** Two strokes across the axis near its foot, and a gap between them. */
function axisBreakLayers(height: number) {
  const looks = [
    { shape: "M-1,0.5L1,-0.5L1,0L-1,1Z", fill: "var(--paper)", stroke: "var(--paper)" },
    { shape: "M-1,0.5L1,-0.5M-1,1L1,0", fill: "transparent", stroke: "var(--muted)" },
  ];
  return looks.map((look) => ({
    data: { values: [{}] },
    mark: { type: "point", size: 170, strokeWidth: 1.25, opacity: 1, ...look },
    encoding: { x: { value: 0 }, y: { value: height - 14 } },
  }));
}

function datum({ name, colour, shape, side }: Series, { x, y }: Point) {
  const size = (shape === STAR_PATH ? STAR_SCALE * side : side) ** 2;
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
