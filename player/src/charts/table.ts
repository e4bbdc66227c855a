/** Values over time, a row a moment. Seconds of one clock. */

export type Value = number | null;
export type Row<Column extends string> = Readonly<Record<Column, Value>>;

export class Table<Column extends string> {
  readonly #seconds: number[] = [];
  readonly #columns: ReadonlyMap<Column, Value[]>;

  constructor(columns: readonly Column[]) {
    this.#columns = new Map(columns.map((column) => [column, []]));
  }

  get columns(): Column[] {
    return [...this.#columns.keys()];
  }

  /** When each row was taken, ascending. */
  get seconds(): readonly number[] {
    return this.#seconds;
  }

  column(name: Column): readonly Value[] {
    return this.#columns.get(name) ?? [];
  }

  /** The newest that is known of a column; null where none is. */
  lastKnown(name: Column): Value {
    return this.column(name).findLast((value) => value !== null) ?? null;
  }

  /** Adds a row; one that is not newer than the last is left out, and false is answered. */
  add(atSeconds: number, row: Row<Column>): boolean {
    const newest = this.#seconds.at(-1);
    if (newest !== undefined && atSeconds <= newest) {
      return false;
    }
    this.#seconds.push(atSeconds);
    for (const [name, values] of this.#columns) {
      values.push(row[name]);
    }
    return true;
  }

  row(place: number): Row<Column> {
    return Object.fromEntries(
      [...this.#columns].map(([name, values]) => [name, values[place] ?? null]),
    ) as Record<Column, Value>;
  }

  dropFirst(count: number): void {
    this.#seconds.splice(0, count);
    for (const values of this.#columns.values()) {
      values.splice(0, count);
    }
  }

  /** Place of the row that was valid at this time: the last one not after it; null before the first. */
  placeAt(seconds: number): number | null {
    const place = this.#seconds.findLastIndex((at) => at <= seconds);
    return place === -1 ? null : place;
  }

  /** The same rows, which later ones are not added to. */
  copy(): Table<Column> {
    const copy = new Table<Column>(this.columns);
    copy.#seconds.push(...this.#seconds);
    for (const [name, values] of this.#columns) {
      copy.#columns.get(name)?.push(...values);
    }
    return copy;
  }
}
