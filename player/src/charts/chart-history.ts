import { type Row, Table, type Value } from "./table.ts";

/** So much of the past is kept as it was sampled. */
export const RECENT_SECONDS = 300;
/** Of a whole film so many rows are kept: more than a chart has pixels. */
const OVERVIEW_ROWS = 2000;

/** What charts draw of a film: the newest minutes row by row, and all of it ever more coarsely. */
export class ChartHistory<Column extends string> {
  #recent: Table<Column>;
  #overview: Table<Column>;
  readonly #peaks: ReadonlySet<Column>;
  /** So many rows become one of the overview. */
  #stride = 1;
  #waiting: Row<Column>[] = [];

  /** @param peaks columns of whose values the highest stands for several, so that no peak is lost; of others the last */
  constructor(columns: readonly Column[], peaks: readonly Column[] = []) {
    this.#recent = new Table(columns);
    this.#overview = new Table(columns);
    this.#peaks = new Set(peaks);
  }

  add(atSeconds: number, row: Row<Column>): void {
    if (!this.#recent.add(atSeconds, row)) {
      return;
    }
    this.#forgetBefore(atSeconds - RECENT_SECONDS);
    this.#waiting.push(row);
    if (this.#waiting.length >= this.#stride) {
      this.#overview.add(atSeconds, this.#merged(this.#waiting));
      this.#waiting = [];
      if (this.#overview.seconds.length > OVERVIEW_ROWS) {
        this.#thin();
      }
    }
  }

  /** Rows that cover a span; null is all of the film. */
  rows(spanSeconds: number | null): Table<Column> {
    return spanSeconds !== null && spanSeconds <= RECENT_SECONDS ? this.#recent : this.#overview;
  }

  /** When the first row was taken; null before it. */
  get beganSeconds(): number | null {
    return this.#overview.seconds[0] ?? this.#recent.seconds[0] ?? null;
  }

  /** As it is now, for as long as somebody looks at it. */
  copy(): ChartHistory<Column> {
    const copy = new ChartHistory<Column>([]);
    copy.#recent = this.#recent.copy();
    copy.#overview = this.#overview.copy();
    return copy;
  }

  #forgetBefore(seconds: number): void {
    const kept = this.#recent.seconds.findIndex((at) => at >= seconds);
    // One row before the span stays, so that lines begin at the edge.
    this.#recent.dropFirst(Math.max(0, kept - 1));
  }

  /** Makes one row of each two. */
  #thin(): void {
    const { seconds, columns } = this.#overview;
    const thinned = new Table<Column>(columns);
    for (let place = 0; place < seconds.length; place += 2) {
      const last = Math.min(place + 1, seconds.length - 1);
      thinned.add(seconds[last] ?? 0, this.#merged([this.#overview.row(place), this.#overview.row(last)]));
    }
    this.#overview = thinned;
    this.#stride *= 2;
  }

  #merged(rows: readonly Row<Column>[]): Row<Column> {
    const merged = { ...rows.at(-1) } as Record<Column, Value>;
    for (const peak of this.#peaks) {
      const values = rows.map((row) => row[peak]).filter((value) => value !== null);
      merged[peak] = values.length === 0 ? null : Math.max(...values);
    }
    return merged;
  }
}
