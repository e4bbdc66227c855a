import { markdownTable } from "../markdown-table.ts";
import type { Figure, Reach } from "./benchmark.ts";
import { isReached } from "./figures.ts";

const HEADER = ["what", "measured", "each repeat", "to reach", ""];

/** Figures as a table in Markdown, which also reads well in a terminal. */
export function formatTable(figures: readonly Figure[]): string {
  return markdownTable([HEADER, ...figures.map(row)]);
}

function row(figure: Figure): string[] {
  const { what, value, unit, samples, reach } = figure;
  const measured = value === null ? "nothing" : `${formatBeside(value, reach)} ${unit}`.trimEnd();
  const wanted = reach === null ? "" : `${reach.comparison} ${format(reach.value)}`;
  const each = samples.map((sample) => (sample === null ? "none" : format(sample))).join(", ");
  return [what, measured, each, wanted, verdict(figure)];
}

function verdict(figure: Figure): string {
  const reached = isReached(figure);
  if (reached === null) return "";
  if (figure.value === null) return "MISSED (no value)";
  return reached ? "reached" : "MISSED";
}

/** With as many digits more as it takes to differ from the goal that it just misses, or just reaches. */
function formatBeside(value: number, reach: Reach | null): string {
  const short = format(value);
  if (reach === null || value === reach.value || Number(short) !== reach.value) return short;
  const precisions = Array.from({ length: 14 }, (_, index) => 4 + index);
  return (
    precisions.map((digits) => value.toPrecision(digits)).find((text) => Number(text) !== reach.value) ??
    short
  );
}

/** Three digits that matter. */
function format(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 4));
}
