/** Figures of a page that commands write between markers (e2e/laboratory/figures): which command measured what. Pure. */

const BLOCK = /<!-- figures: ([^|>]+?) (?:\|[^>]*)?-->\n([\s\S]*?)<!-- end -->/g;
const ROW = /^\|([^|]+)\|\s*\**(-?[\d.]+)[^|]*\|/gm;

export class MeasuredFigures {
  readonly #byCommand = new Map<string, Map<string, number>>();

  constructor(markdown: string) {
    for (const [, command = "", table = ""] of markdown.matchAll(BLOCK)) {
      const rows = [...table.matchAll(ROW)].map(
        ([, name = "", value]) => [name.trim(), Number(value)] as const,
      );
      this.#byCommand.set(command, new Map(rows));
    }
  }

  /** Throws an Error that names the figure if it is not there. */
  value(command: string, figure: string): number {
    const value = this.#byCommand.get(command)?.get(figure);
    if (value === undefined)
      throw new Error(
        `README.md has no figure "${figure}" of "${command}", which the page shows: measure it, or change player/headlines`,
      );
    return value;
  }
}
