import type { ArmSummary, FlowSummary } from "../analysis.ts";
import type { Estimate } from "../estimate.ts";
import { describeFlow } from "../plan.ts";
import { escapeHtml, SERIES_COLOURS } from "./chart.ts";
import { type Column, signed, table } from "./table.ts";

const LABEL = "Means and 95 % intervals";

export interface FiguresTableOptions {
  arms: readonly ArmSummary[];
  reference: ArmSummary | null;
  baseline: string;
  /** Whether arms have several flows. */
  isShared: boolean;
  seriesClass: (arm: ArmSummary) => string;
}

/** Means with their 95 % intervals, a row an arm. */
export function figuresTable(options: FiguresTableOptions): string {
  const { arms, reference, seriesClass } = options;
  const rows = arms.map((summary) => ({
    head: `<i class="chip ${seriesClass(summary)}"></i>${escapeHtml(summary.arm.name)}`,
    row: summary,
  }));
  const star = reference && {
    head: `<i class="star">&#9733;</i>${escapeHtml(reference.arm.name)}`,
    row: reference,
  };
  return table({
    ...{ label: LABEL, first: "Scheme", columns: columnsOf(options) },
    rows: star === null ? rows : [...rows, star],
  });
}

/** The same for each flow of each arm. */
export function flowsTable(flows: readonly FlowSummary[]): string {
  const columns: Column<FlowSummary>[] = [
    { title: "Flow", unit: "", cell: ({ arm, flow }) => flowNumber(arm.flows.indexOf(flow)) },
    {
      title: "Throughput",
      unit: "Mbit/s while active",
      cell: (row) => estimate(row.throughputBitsPerSecond, { scale: 1e-6, digits: 2 }),
    },
    {
      title: "Share",
      unit: "%, last 30 s together",
      cell: (row) => estimate(row.share, { scale: 100, digits: 1 }),
    },
    {
      title: "Delay, p95",
      unit: "ms in the queue",
      cell: (row) => estimate(row.delayP95Ms, { scale: 1, digits: 1 }),
    },
    {
      title: "Loss",
      unit: "% of packets",
      cell: (row) => estimate(row.lossRatio, { scale: 100, digits: 2 }),
    },
  ];
  const rows = flows.map((row) => ({
    head: `${escapeHtml(row.arm.name)}<small>${escapeHtml(describeFlow(row.flow))}</small>`,
    row,
  }));
  return `<h3>Flows</h3>${table({ label: LABEL, first: "Scheme", columns, rows })}`;
}

/** With the colour that the flow has in the charts. */
function flowNumber(index: number): string {
  return `<i class="chip s${(index % SERIES_COLOURS) + 1}"></i>${index + 1}`;
}

type Comparison = NonNullable<ArmSummary["againstBaseline"]>;

function columnsOf({ arms, baseline, isShared }: FiguresTableOptions): Column<ArmSummary>[] {
  const against = (pick: (comparison: Comparison) => Estimate | null) => (arm: ArmSummary) =>
    arm.againstBaseline === null
      ? ""
      : estimate(pick(arm.againstBaseline), { scale: 100, digits: 1, isChange: true });
  const quantity = (name: keyof ArmSummary["estimates"], format: Format) => (arm: ArmSummary) =>
    estimate(arm.estimates[name], format);
  const columns: Column<ArmSummary>[] = [
    {
      title: "Throughput",
      unit: "Mbit/s",
      cell: quantity("throughputBitsPerSecond", { scale: 1e-6, digits: 2 }),
    },
    { title: "Delay, p95", unit: "ms in the queue", cell: quantity("delayP95Ms", { scale: 1, digits: 1 }) },
    { title: "Utilisation", unit: "% of capacity", cell: quantity("utilisation", { scale: 100, digits: 1 }) },
    { title: "Delay, mean", unit: "ms in the queue", cell: quantity("delayMeanMs", { scale: 1, digits: 1 }) },
    { title: "Loss", unit: "% of packets", cell: quantity("lossRatio", { scale: 100, digits: 2 }) },
  ];
  if (isShared) {
    const cell = quantity("jain", { scale: 1, digits: 3 });
    columns.push({ title: "Jain's index", unit: "last 30 s together", cell });
  }
  if (arms.length > 1) {
    const unit = `% against ${baseline}`;
    columns.push({ title: "Throughput", unit, cell: against(({ throughput }) => throughput) });
    columns.push({ title: "Delay, p95", unit, cell: against(({ delayP95 }) => delayP95) });
  }
  if (arms.some(({ figures }) => figures.some(({ failure }) => failure !== null))) {
    columns.push({ title: "Runs", unit: "finished of all", cell: ({ figures }) => runsOf(figures) });
  }
  return columns;
}

function runsOf(figures: ArmSummary["figures"]): string {
  const finished = figures.filter(({ failure }) => failure === null).length;
  const count = `${finished} of ${figures.length}`;
  return finished === figures.length ? count : `<strong class="failed">${count}</strong>`;
}

interface Format {
  scale: number;
  digits: number;
  /** Whether a plus is written out. */
  isChange?: boolean;
}

function estimate(value: Estimate | null, { scale, digits, isChange = false }: Format): string {
  if (value === null) return "&ndash;";
  const text = (number: number) => signed((number * scale).toFixed(digits), isChange);
  const { mean, interval } = value;
  const range = interval === null ? "" : `<small>${text(interval.low)} to ${text(interval.high)}</small>`;
  return `${text(mean)}${range}`;
}
