import type { Bundle } from "../bundle.ts";
import { type FinishedRun, finderOf } from "../finished-run.ts";
import type { Condition } from "../matrix.ts";
import { escapeHtml } from "./chart.ts";
import { conditionSection } from "./condition.ts";
import { STYLE } from "./style.ts";
import { aboutSection, methodSection } from "./text.ts";

export interface ReportOptions {
  bundle: Bundle;
  conditions: readonly Condition[];
  runs: readonly FinishedRun[];
}

/** The report: one page that needs nothing else. */
export async function writeReport({ bundle, conditions, runs }: ReportOptions): Promise<string> {
  const find = finderOf(runs);
  const names = [...new Set(conditions.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  const sections: string[] = [];
  for (const condition of conditions) {
    sections.push(await conditionSection({ condition, find, names, request: bundle.request }));
  }
  const title = titleOf(bundle, names);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="muted">${escapeHtml(subtitleOf(bundle))}</p>
</header>
<main>
${sections.join("\n")}
${methodSection(bundle.request)}
</main>
<footer>
${aboutSection(bundle)}
</footer>
</body>
</html>
`;
}

function titleOf({ links }: Bundle, names: readonly string[]): string {
  const schemes = names.length > 4 ? `${names.length} schemes` : names.join(", ");
  return `${schemes} over ${links.length > 4 ? `${links.length} links` : links.map(({ name }) => name).join(", ")}`;
}

function subtitleOf({ request, writtenAt, versions, runs }: Bundle): string {
  const seeds = request.seeds === 1 ? "one run" : `${request.seeds} runs`;
  const failed = runs.failed === 0 ? "" : `, ${runs.failed} of them failed`;
  const commit = versions.commit.slice(0, 12);
  const changed = versions.hasLocalChanges ? " with local changes" : "";
  return `${seeds} of ${request.durationSeconds} s for each scheme; ${runs.finished + runs.failed} runs in all${failed}. ${writtenAt.slice(0, 10)}, commit ${commit}${changed}.`;
}
