/** A session as CSV (RFC 4180): a row a quarter of a second. Pure. */

import type { SessionRows } from "./session-rows.ts";

const CHOSEN = ["scheme", "preset", "rule", "estimator", "link"] as const;

export function sessionCsv(rows: SessionRows): string {
  const { table } = rows;
  const lines = table.seconds.map((seconds, place) => {
    const change = rows.changeAt(seconds * 1000 + 0.5); // seconds are ms of the epoch divided, rounded perhaps
    const chosen = CHOSEN.map((name) => quoted(change?.[name] ?? ""));
    const values = table.columns.map((column) => plain(table.column(column)[place] ?? null));
    return [(seconds * 1000).toFixed(0), ...values, ...chosen].join(",");
  });
  return `${[["at_ms", ...table.columns, ...CHOSEN].join(","), ...lines].join("\r\n")}\r\n`;
}

const plain = (value: number | null): string => (value === null ? "" : String(Number(value.toPrecision(9))));

/** A text that a spreadsheet takes for a formula is no number of ours. */
const quoted = (text: string): string =>
  /^[\w .+-]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
