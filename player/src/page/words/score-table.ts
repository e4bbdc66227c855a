import type { ScoreRow } from "./score.ts";

/** The body of the score's table. */
export class ScoreTable {
  readonly #body: HTMLElement;
  #cells: readonly (readonly [HTMLElement, HTMLElement])[] = [];

  constructor(body: HTMLElement) {
    this.#body = body;
  }

  /** Always the same rows, with what they are now. */
  show(rows: readonly ScoreRow[]): void {
    if (this.#cells.length === 0) {
      this.#cells = rows.map(({ title }) => this.#addRow(title));
    }
    for (const [place, { texts, better }] of rows.entries()) {
      for (const [side, cell] of (this.#cells[place] ?? []).entries()) {
        const text = texts[side] ?? "";
        if (cell.textContent !== text) {
          cell.textContent = text;
        }
        cell.classList.toggle("better", side === better);
      }
    }
  }

  #addRow(title: string): [HTMLElement, HTMLElement] {
    const row = document.createElement("tr");
    const heading = document.createElement("th");
    heading.scope = "row";
    heading.textContent = title;
    const cells: [HTMLElement, HTMLElement] = [document.createElement("td"), document.createElement("td")];
    row.append(heading, ...cells);
    this.#body.append(row);
    return cells;
  }
}
