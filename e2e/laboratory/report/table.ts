import { escapeHtml } from "./chart.ts";

export interface Column<Row> {
  title: string;
  unit: string;
  /** HTML. */
  cell: (row: Row) => string;
}

export interface TableOptions<Row> {
  /** What it has, for a person who does not see it. */
  label: string;
  /** The first column's title; it stays in sight while the others scroll. */
  first: string;
  columns: readonly Column<Row>[];
  /** A class of the page's style. */
  look?: string;
  /** `head` is HTML. */
  rows: readonly { head: string; row: Row }[];
}

export function table<Row>({ label, first, columns, look, rows }: TableOptions<Row>): string {
  const open = look === undefined ? "<table>" : `<table class="${look}">`;
  const heads = columns.map(
    ({ title, unit }) => `<th scope="col">${escapeHtml(title)}<small>${escapeHtml(unit)}</small></th>`,
  );
  const body = rows.map(
    ({ head, row }) =>
      `<tr><th scope="row">${head}</th>${columns.map(({ cell }) => `<td>${cell(row)}</td>`).join("")}</tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}">${open}
<thead><tr><th scope="col">${escapeHtml(first)}</th>${heads.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table></div>`;
}

/** With a real minus, and without a sign for what rounds to nothing. */
export function signed(text: string, withPlus: boolean): string {
  if (Number(text) === 0) return text.replace("-", "");
  if (text.startsWith("-")) return `\u2212${text.slice(1)}`;
  return withPlus ? `+${text}` : text;
}
