/** Figures of a page that commands write between markers (e2e/laboratory/figures): which command measured what. Pure. */

const BLOCK = /<!-- figures: ([^|>]+?) (?:\|[^>]*)?-->\n([\s\S]*?)<!-- end -->/g;
const IN_A_SENTENCE = /<!-- figure: ([^|>]+?) \| ([^|>]+?) -->\**(-?[\d.,]+)[^<]*<!-- end -->/g;
const ROW = /^\|([^|]+)\|\s*\**(-?[\d.,]+)([^|]*)\|/gm;
const INTERVAL = /\(95 %, [^:]+: (-?[\d.,]+) to (-?[\d.,]+)\)/;

/** Digits stand in threes. */
const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

export interface MeasuredFigure {
  readonly value: number;
  /** Its 95 % interval; null where it has none. */
  readonly interval: readonly [low: number, high: number] | null;
}

export class MeasuredFigures {
  readonly #byCommand = new Map<string, Map<string, MeasuredFigure>>();

  constructor(page: string) {
    const markdown = page.replaceAll("\r\n", "\n");
    for (const [, command = "", table = ""] of markdown.matchAll(BLOCK)) {
      const rows = [...table.matchAll(ROW)].map(([, name = "", value = "", rest = ""]) => {
        const [, low = "", high = ""] = INTERVAL.exec(rest) ?? [];
        const interval = low === "" ? null : ([numberOf(low), numberOf(high)] as const);
        return [name.trim(), { value: numberOf(value), interval }] as const;
      });
      this.#byCommand.set(command, new Map(rows));
    }
    for (const [, command = "", name = "", value = ""] of markdown.matchAll(IN_A_SENTENCE)) {
      const named = this.#byCommand.get(command) ?? new Map<string, MeasuredFigure>();
      this.#byCommand.set(command, named.set(name, { value: numberOf(value), interval: null }));
    }
  }

  /** Throws an Error that names the figure if it is not there. */
  figure(command: string, figure: string): MeasuredFigure {
    const found = this.#byCommand.get(command)?.get(figure);
    if (found === undefined)
      throw new Error(
        `README.md has no figure "${figure}" of "${command}", which the page shows: measure it, or change player/headlines`,
      );
    return found;
  }
}
