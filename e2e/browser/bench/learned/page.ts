/** The page of the learned schemes' figures: one file that needs nothing else. */

import { counted } from "../../../../player/src/page/units.ts";
import { escapeHtml } from "../../../laboratory/report/chart.ts";
import { STYLE } from "../../../laboratory/report/style.ts";
import type { Versions } from "../../cell/versions.ts";
import { isReached } from "../figures.ts";
import { partCharts } from "./charts.ts";
import { type EmulatedRow, emulationFigures } from "./emulation.ts";
import { benchFigure, type Group, type LearnedFigure, type LearnedReport, type Part } from "./figures.ts";
import { emulatedTable, figuresTable, policiesTable, rowsTable } from "./tables.ts";

export interface PageOptions {
  report: LearnedReport;
  emulated: readonly EmulatedRow[];
  decisions: readonly LearnedFigure[];
  versions: Versions;
  writtenAt: string;
  /** Of each emulated run. */
  repeats: number;
}

const TITLE = "The learned schemes' figures";
const NOT_SHIPPED = "not shipped";
const OWN_STYLE = `
.reached{font-weight:600}.missed{color:var(--bad);font-weight:600}
table.wide-heads th:first-child{white-space:normal;min-width:16rem;max-width:34rem;font-weight:500}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:1.25rem 1.5rem}
.pair h4{font-size:.9rem;font-weight:600;margin:0 0 .15rem}
@media (max-width:40rem){table.wide-heads th:first-child{min-width:9.5rem;max-width:11rem}}
`.trim();

export async function writePage(options: PageOptions): Promise<string> {
  const { report, emulated, decisions, versions, writtenAt } = options;
  const sections: string[] = [];
  for (const part of report.parts) sections.push(await partSection(part));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(TITLE)}</title>
<style>${STYLE}
${OWN_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(TITLE)}</h1>
<p class="muted">${escapeHtml(subtitle(options))}</p>
</header>
<main>
${policiesTable(report, decisions)}
${missing(report)}
${sections.join("\n")}
${placesSection(emulated, options.repeats)}
${decisionSection(decisions)}
</main>
<footer>
<h2>How it was made</h2><pre>npm run bench -- learned</pre>
<dl><dt>Commit</dt><dd>${escapeHtml(versions.commit)}${versions.hasLocalChanges ? " with local changes" : ""}</dd>
<dt>Sources</dt><dd>SHA-256 ${escapeHtml(report.sources_sha256)}</dd>
${report.policies.map(({ name, sha256 }) => `<dt>${escapeHtml(name)}.onnx</dt><dd>SHA-256 ${escapeHtml(sha256)}</dd>`).join("\n")}
<dt>Versions</dt><dd>${escapeHtml(`Python ${versions.python}, Node ${versions.node}${versions.mahimahi === null ? "" : `, mahimahi ${versions.mahimahi}`}, ${versions.kernel}`)}</dd>
<dt>Written</dt><dd>${escapeHtml(writtenAt)}</dd></dl>
<p>Intervals are percentile bootstraps of 2,000 resamples over the episodes, pairs kept together: 95 % of them. They are too narrow for few episodes, of five they hold the true mean in about 84 of 100 cases. Throughput counts bytes as the link does, headers included; queueing delay is the time between entering and leaving its queue, one value a packet, and a table's delays are means over episodes, geometric ones of 95th percentiles.</p>
</footer>
</body>
</html>
`;
}

function subtitle({ report, emulated, decisions, versions, writtenAt }: PageOptions): string {
  const figures = [
    ...report.parts.flatMap((part) => part.figures),
    ...emulated.flatMap(emulationFigures),
    ...decisions,
  ];
  const verdicts = figures
    .map((figure) => isReached(benchFigure(figure)))
    .filter((verdict) => verdict !== null);
  const reached = verdicts.filter((verdict) => verdict).length;
  const commit = `${versions.commit.slice(0, 12)}${versions.hasLocalChanges ? " with local changes" : ""}`;
  const { seeds, traces } = report;
  return `${reached} of ${verdicts.length} figures reached. ${counted(seeds, "episode")} on each of ${traces} traces that no training saw. ${writtenAt.slice(0, 10)}, commit ${commit}.`;
}

function missing({ missing_traces: names }: LearnedReport): string {
  if (names.length === 0) return "";
  return `<p class="failed">Not installed, and so left out: ${escapeHtml(names.join(", "))}.</p>`;
}

async function partSection(part: Part): Promise<string> {
  const trained = part.groups.filter(({ rows }) => rows.length > 0);
  const untrained = part.groups.filter(({ note }) => note === NOT_SHIPPED).map(({ name }) => name);
  const charts = await partCharts(part.name, trained);
  const figures = part.figures.filter(({ reach }) => reach !== null);
  return `<section>
<h2>${escapeHtml(part.title)}</h2>
<p>${escapeHtml(part.text)}</p>
${untrained.length === 0 ? "" : `<p class="muted">${escapeHtml(`${NOT_SHIPPED[0]?.toUpperCase()}${NOT_SHIPPED.slice(1)}: ${untrained.join(", ")}.`)}</p>`}
${figures.length === 0 ? "" : figuresTable(part.title, figures)}
${charts}
${trained.map(details).join("\n")}
</section>`;
}

function details(group: Group): string {
  const reward = group.reward === "" ? "" : `<p class="muted">Reward: ${escapeHtml(group.reward)}.</p>`;
  const note = group.note === "" ? "" : `<p class="muted">${escapeHtml(group.note)}</p>`;
  return `<details><summary>${escapeHtml(group.name)}: every arm, ${counted(group.rows[0]?.scenarios ?? 0, "episode")}</summary>${reward}${note}${rowsTable(group)}</details>`;
}

function placesSection(rows: readonly EmulatedRow[], repeats: number): string {
  const text = `30 s, 20 ms each way, ${repeats === 1 ? "one run" : `means of ${repeats} runs that begin elsewhere in the trace`}: the served policy under mahimahi, and the same in simulation.`;
  const tables = rows.length === 0 ? '<p class="muted">No policy is shipped.</p>' : emulatedTable(rows);
  return `<section><h2>Simulation beside mahimahi</h2><p>${escapeHtml(text)}</p>${tables}</section>`;
}

function decisionSection(decisions: readonly LearnedFigure[]): string {
  const table = decisions.length === 0 ? "" : figuresTable("Decision time", decisions);
  return `<section><h2>Decision time</h2><p>As the media server asks a policy, a decision every 2 ms; on this machine.</p>${table}</section>`;
}
