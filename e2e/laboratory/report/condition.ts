/** The report's part about one link in one place. */
import { type ArmSummary, type FlowSummary, summariseArm, summariseFlows } from "../analysis.ts";
import { settingsOf, titleOf } from "../condition-title.ts";
import { shareBins } from "../fairness.ts";
import type { FindRun } from "../finished-run.ts";
import { baselineOf, type Condition } from "../matrix.ts";
import type { MatrixRequest } from "../options.ts";
import { type Arm, describeFlow, type RunPlan } from "../plan.ts";
import type { Intervals } from "../result.ts";
import { escapeHtml, SERIES_COLOURS, seriesColour } from "./chart.ts";
import { figuresTable, flowsTable } from "./figures-table.ts";
import { scatterChart } from "./scatter.ts";
import { type ScatterContents, scatterCaption } from "./scatter-caption.ts";
import { sharesChart } from "./shares.ts";
import { commonScale, timeSeriesChart } from "./time-series.ts";

const WIDE = { width: 860, height: 440 };
const NARROW = { width: 290, height: 330 };

export interface ConditionOptions {
  condition: Condition;
  find: FindRun;
  /** Of all arms in the report: an arm has the same colour everywhere. */
  names: readonly string[];
  request: MatrixRequest;
}

export async function conditionSection(options: ConditionOptions): Promise<string> {
  const { condition, find, names, request } = options;
  const { arms, reference: tried, baseline } = summaries(options);
  const reference = tried?.figures.some(({ failure }) => failure === null) ? tried : null;
  const seriesOf = ({ arm }: ArmSummary) => names.indexOf(arm.name);
  const charts: string[] = [];
  const contents: ScatterContents[] = [];
  for (const [className, size] of [
    ["wide", WIDE],
    ["narrow", NARROW],
  ] as const) {
    const chart = await scatterChart({ arms, reference, seriesOf, ...size });
    if (chart === null) continue;
    charts.push(`<div class="${className}">${chart.svg}</div>`);
    contents.push(chart.contents);
  }
  const isShared = arms.some(({ arm }) => arm.flows.length > 1);
  const seriesClass = (summary: ArmSummary) => `s${(seriesOf(summary) % SERIES_COLOURS) + 1}`;
  return `<section>
<h2>${escapeHtml(titleOf(condition))}</h2>
<p class="muted">${escapeHtml(settingsOf(condition, request))}</p>
${charts.length === 0 ? "" : `<figure>${charts.join("\n")}<figcaption>${escapeHtml(scatterCaption(contents))}</figcaption></figure>`}
${figuresTable({ arms, reference, baseline: baseline.name, isShared, seriesClass })}
${isShared ? flowsTable(flowSummaries(condition, find)) : ""}
${failures(tried === null ? arms : [...arms, tried])}
${await overTime(options, arms, seriesOf)}
</section>`;
}

function summaries({ condition, find, request }: ConditionOptions) {
  const baseline = baselineOf(request, condition.arms);
  const plansOf = (arm: Arm): RunPlan[] =>
    condition.runs.filter((run) => run.arm.name === arm.name).toSorted((one, other) => one.seed - other.seed);
  const arms = condition.arms.map((arm) => {
    const partners = arm.name === baseline.name ? null : plansOf(baseline);
    return summariseArm(arm, { own: plansOf(arm), baseline: partners }, find);
  });
  const [first] = condition.references;
  const reference =
    first === undefined ? null : summariseArm(first.arm, { own: condition.references, baseline: null }, find);
  return { arms, baseline, reference };
}

function flowSummaries({ arms, runs }: Condition, find: FindRun): FlowSummary[] {
  return arms.flatMap((arm) =>
    summariseFlows(
      arm,
      runs.filter((run) => run.arm.name === arm.name),
      find,
    ),
  );
}

function failures(arms: readonly ArmSummary[]): string {
  const failed = arms.flatMap(({ arm, figures }) =>
    figures.flatMap(({ seed, failure }) => (failure === null ? [] : [{ arm, seed, failure }])),
  );
  if (failed.length === 0) return "";
  const items = failed.map(({ arm, seed, failure }) => {
    const whose = failure.scheme === null ? "" : ` (${escapeHtml(failure.scheme)})`;
    const state = escapeHtml(JSON.stringify(failure.state, null, 2));
    return `<details><summary>${escapeHtml(arm.name)}, seed ${seed}${whose}: ${escapeHtml(failure.message)}</summary><pre>${state}</pre></details>`;
  });
  return `<div class="failures"><h3 class="failed">Failed runs</h3>${items.join("")}</div>`;
}

/** One run of each arm: the first seed's, or the first that finished. */
async function overTime(
  { condition, find }: ConditionOptions,
  arms: readonly ArmSummary[],
  seriesOf: (arm: ArmSummary) => number,
): Promise<string> {
  const shown = arms.flatMap((summary) => {
    const run = condition.runs
      .filter(({ arm }) => arm.name === summary.arm.name)
      .toSorted((one, other) => one.seed - other.seed)
      .find((plan) => find(plan).record.result !== null);
    const intervals = run && find(run).record.result?.intervals;
    return run && intervals ? [{ summary, run, intervals }] : [];
  });
  const [first] = shown;
  if (first === undefined) return "";
  const scale = commonScale(
    shown.map(({ intervals }) => intervals),
    first.run.durationSeconds,
  );
  const cells: string[] = [];
  const shares: string[] = [];
  for (const { summary, run, intervals } of shown) {
    const colours = flowColours(run, seriesOf(summary));
    const name = escapeHtml(summary.arm.name);
    const note = run.seed === first.run.seed ? "" : ` (seed ${run.seed})`;
    cells.push(
      `<div><h4>${name}${note}</h4>${await timeSeriesChart({ name: summary.arm.name, intervals, flows: run.arm.flows, colours, scale })}</div>`,
    );
    if (run.arm.flows.length > 1)
      shares.push(`<div><h4>${name}${note}</h4>${await shareOf(run, intervals, colours)}</div>`);
  }
  return `<h3>Over time</h3>${flowLegend(shown.map(({ run }) => run.arm))}
<figure><div class="grid">${cells.join("\n")}</div><figcaption>Seed ${first.run.seed}: delivered rate over the link's capacity (grey), and mean queueing delay on a logarithmic scale.</figcaption></figure>
${shares.length === 0 ? "" : `<h3>Shares</h3><figure><div class="grid">${shares.join("\n")}</div><figcaption>Each flow's part of what all flows received, second by second, and Jain's index over the flows that were active.</figcaption></figure>`}`;
}

function shareOf(run: RunPlan, intervals: Intervals, colours: readonly string[]): Promise<string> {
  return sharesChart({ name: run.arm.name, bins: shareBins(run, intervals), colours });
}

/** A single flow has its arm's colour; several have one each. */
function flowColours({ arm: { flows } }: RunPlan, series: number): string[] {
  return flows.map((_, index) => seriesColour(flows.length === 1 ? series : index));
}

/** Where arms differ in a flow's scheme, it is the one under test. */
function flowLegend(arms: readonly Arm[]): string {
  const flows = arms[0]?.flows ?? [];
  if (flows.length < 2) return "";
  const items = flows.map((flow, index) => {
    const isFixed = arms.every((arm) => arm.flows[index]?.scheme === flow.scheme);
    const text = describeFlow(isFixed ? flow : { ...flow, scheme: "the scheme under test" });
    return `<li><i class="chip s${(index % SERIES_COLOURS) + 1}"></i>flow ${index + 1}: ${escapeHtml(text)}</li>`;
  });
  return `<ul class="legend">${items.join("")}</ul>`;
}
