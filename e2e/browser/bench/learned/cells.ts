/** Pictures beside each other, each under its title. */
import { escapeHtml } from "../../../laboratory/report/chart.ts";

/** Of a picture with its axes, in pixels. */
export const CHART_WIDTH = 330;

/** HTML of one picture; the chart is HTML, the title is not yet. */
export function cell(title: string, chart: string): string {
  return `<div><h4>${escapeHtml(title)}</h4>${chart}</div>`;
}

/** HTML of several, and what is to be seen in them. */
export function figure(cells: readonly string[], caption: string): string {
  return `<figure><div class="pair">${cells.join("\n")}</div><figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}
