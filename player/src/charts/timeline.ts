/** Values over time for charts: the rows of the last span, older ones dropped. Seconds of one clock. */

export type Value = number | null;

export class Timeline<Column extends string> {
  readonly #spanSeconds: number;
  readonly #seconds: number[] = [];
  readonly #columns: ReadonlyMap<Column, Value[]>;

  constructor(columns: readonly Column[], spanSeconds: number) {
    this.#spanSeconds = spanSeconds;
    this.#columns = new Map(columns.map((column) => [column, []]));
  }

  /** When each row was taken, ascending. */
  get seconds(): readonly number[] {
    return this.#seconds;
  }

  column(name: Column): readonly Value[] {
    return this.#columns.get(name) ?? [];
  }

  /** Adds a row; one that is not newer than the last is left out. */
  add(atSeconds: number, row: Readonly<Record<Column, Value>>): void {
    const newest = this.#seconds.at(-1);
    if (newest !== undefined && atSeconds <= newest) {
      return;
    }
    this.#seconds.push(atSeconds);
    for (const [name, values] of this.#columns) {
      values.push(row[name]);
    }
    this.#forgetBefore(atSeconds - this.#spanSeconds);
  }

  /** Place of the row that was valid at this time: the last one not after it; null before the first. */
  placeAt(seconds: number): number | null {
    const place = this.#seconds.findLastIndex((at) => at <= seconds);
    return place === -1 ? null : place;
  }

  #forgetBefore(seconds: number): void {
    const kept = this.#seconds.findIndex((at) => at >= seconds);
    // One row before the span stays, so that lines begin at the edge.
    const dropped = Math.max(0, kept - 1);
    this.#seconds.splice(0, dropped);
    for (const values of this.#columns.values()) {
      values.splice(0, dropped);
    }
  }
}
