/** The pictures of the page's parts. */
import type { TopLevelSpec } from "vega-lite";
import { FONT_SIZE, renderChart, seriesColour, seriesShape } from "../../../laboratory/report/chart.ts";
import { placeLabels } from "../../../laboratory/report/place-labels.ts";
import { CHART_WIDTH, cell, figure } from "./cells.ts";
import type { Difference, Group, Row } from "./figures.ts";
import { knownNetwork } from "./known-network.ts";

const POLICY = 0;
const RIVAL = 1;

/** HTML; empty where a part has none. */
export async function partCharts(part: string, groups: readonly Group[]): Promise<string> {
  if (groups.length === 0) return "";
  if (part === "rewards") return intervalCharts(groups);
  if (part === "front") return frontCharts(groups);
  if (part === "known-network") return knownNetwork(groups);
  return "";
}

async function intervalCharts(groups: readonly Group[]): Promise<string> {
  const cells: string[] = [];
  for (const { name, differences } of groups) cells.push(cell(name, await intervalChart(name, differences)));
  return figure(
    cells,
    "The policy's reward less each rival's, with its 95 % interval, in the policy's own units: right of the line it is better. Filled marks are the rivals that it must beat.",
  );
}

/** Differences as intervals around zero, a line a rival. */
function intervalChart(name: string, differences: readonly Difference[]): Promise<string> {
  const rows = differences.map(({ rival, interval, is_to_be_beaten: isToBeBeaten }) => ({
    ...{ rival: shortened(rival), ...interval },
    fill: isToBeBeaten ? seriesColour(POLICY) : "var(--paper)",
  }));
  const y = {
    ...{ field: "rival", type: "nominal", sort: null },
    axis: { title: null, domain: false, ticks: false, labelPadding: 8, labelLimit: 130 },
  };
  const x = {
    ...{ field: "value", type: "quantitative", scale: { zero: true, nice: true } },
    axis: { title: "Difference of rewards", tickCount: 5, grid: true, format: "~g" },
  };
  const spec = {
    ...{ width: CHART_WIDTH - 125, height: { step: 24 }, padding: 4, data: { values: rows } },
    layer: [
      {
        mark: { type: "rule", stroke: "var(--ink)", strokeWidth: 1.25 },
        encoding: { x: { datum: 0, type: "quantitative" } },
      },
      {
        mark: { type: "rule", stroke: seriesColour(POLICY), strokeWidth: 2.5 },
        encoding: { y, x: { ...x, field: "low" }, x2: { field: "high" } },
      },
      {
        mark: {
          type: "point",
          size: 70,
          filled: true,
          opacity: 1,
          stroke: seriesColour(POLICY),
          strokeWidth: 2,
        },
        encoding: { y, x, fill: { field: "fill", type: "nominal", scale: null, legend: null } },
      },
    ],
  };
  const parts = differences.map(
    ({ rival, interval: { value, low, high } }) =>
      `${rival} ${value.toPrecision(3)} (${low.toPrecision(3)} to ${high.toPrecision(3)})`,
  );
  return renderChart(spec as unknown as TopLevelSpec, `${name}, reward less that of ${parts.join("; ")}.`);
}

async function frontCharts(groups: readonly Group[]): Promise<string> {
  const cells: string[] = [];
  for (const group of groups) cells.push(cell(group.name, await frontChart(group)));
  return figure(
    cells,
    "Throughput against the 95th percentile of the queueing delay, which falls to the right: better is up and right. The line is the front of Nuwa's k.",
  );
}

interface FrontPoint {
  name: string;
  delay: number;
  throughput: number;
  colour: string;
  shape: string;
}

/** Throughput against p95 delay, and the line through the front's points. */
async function frontChart({ name, rows, front }: Group): Promise<string> {
  // the policy above what it may lie on
  const points = rows
    .toSorted((one, other) => Number(one.is_policy) - Number(other.is_policy))
    .flatMap(frontPoint);
  const line = rows
    .filter((row) => front.includes(row.name))
    .flatMap(frontPoint)
    .toSorted((one, other) => one.delay - other.delay);
  const size = { width: CHART_WIDTH - 55, height: 230 };
  const domains = {
    x: padded(points.map(({ delay }) => delay)),
    y: padded(points.map(({ throughput }) => throughput)),
  };
  const x = {
    ...{ field: "delay", type: "quantitative" },
    scale: { domain: domains.x, reverse: true, nice: false },
    axis: { title: "95th percentile of the queueing delay (ms)", tickCount: 5, grid: true },
  };
  const y = {
    ...{ field: "throughput", type: "quantitative", scale: { domain: domains.y, nice: false } },
    axis: { title: "Throughput (Mbit/s)", tickCount: 5, grid: true },
  };
  const paint = { scale: null, legend: null } as const;
  const spec = {
    ...{ ...size, padding: 4 },
    title: { text: "better \u2197", anchor: "end", fontWeight: 400, color: "var(--muted)", offset: 4 },
    layer: [
      {
        data: { values: line },
        mark: { type: "line", stroke: seriesColour(RIVAL), strokeWidth: 1.5, strokeDash: [5, 4] },
        encoding: { x, y, order: { field: "delay" } },
      },
      {
        data: { values: points },
        mark: {
          type: "point",
          filled: true,
          opacity: 1,
          size: MARK_AREA,
          stroke: "var(--paper)",
          strokeWidth: 1.5,
        },
        encoding: {
          ...{ x, y, fill: { field: "colour", type: "nominal", ...paint } },
          shape: { field: "shape", type: "nominal", ...paint },
        },
      },
      ...labels(points, domains, size).map((values) => ({
        data: { values: values.values },
        mark: { type: "text", align: "left", baseline: "middle", ...values.look },
        encoding: { x, y, text: { field: "name" } },
      })),
    ],
    resolve: { scale: { fill: "independent", shape: "independent" } },
  };
  const parts = points.map(
    ({ name: arm, throughput, delay }) => `${arm} ${throughput.toFixed(2)} Mbit/s at ${delay.toFixed(1)} ms`,
  );
  return renderChart(spec as unknown as TopLevelSpec, `${name}: ${parts.join("; ")}.`);
}

function frontPoint(row: Row): FrontPoint[] {
  if (row.queueing_p95_s === null) return [];
  const series = row.is_policy ? POLICY : RIVAL;
  return [
    {
      ...{ name: shortened(row.name), delay: 1000 * row.queueing_p95_s },
      throughput: row.throughput_bits_per_s / 1e6,
      ...{ colour: seriesColour(series), shape: seriesShape(series) },
    },
  ];
}

/** Nuwa's k or preset alone. */
function shortened(arm: string): string {
  return arm.replace("Nuwa, ", "");
}

type Domain = [number, number];

/** Of a mark of the front, in square pixels. */
const MARK_AREA = 90;

/** Once as a halo, which keeps lines off the letters. */
function labels(
  points: readonly FrontPoint[],
  domains: { x: Domain; y: Domain },
  { width, height }: { width: number; height: number },
) {
  const spanX = domains.x[1] - domains.x[0];
  const spanY = domains.y[1] - domains.y[0];
  const placed = placeLabels(
    points.map(({ name, delay, throughput }) => ({
      ...{
        x: (1 - (delay - domains.x[0]) / spanX) * width,
        text: name,
        radius: Math.sqrt(MARK_AREA / Math.PI),
      },
      y: (1 - (throughput - domains.y[0]) / spanY) * height,
    })),
    { width, height, fontSize: FONT_SIZE },
  );
  const values = placed.map(({ x, y, text }) => ({
    ...{ name: text, delay: domains.x[0] + (1 - x / width) * spanX },
    throughput: domains.y[0] + (1 - y / height) * spanY,
  }));
  return [
    { values, look: { stroke: "var(--paper)", strokeWidth: 3.5, strokeJoin: "round" } },
    { values, look: {} },
  ];
}

/** With room around the outermost. */
function padded(values: readonly number[]): Domain {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.15 * (high - low || Math.abs(high) || 1);
  return [Math.max(0, low - room), high + room];
}
