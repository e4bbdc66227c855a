/** A table in Markdown, which also reads well in a terminal. The first row is the header. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const header = rows[0] ?? [];
  const widths = header.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(Math.max(3, width))).join(" | ")} |`;
  return `${[lines[0], rule, ...lines.slice(1)].join("\n")}\n`;
}
