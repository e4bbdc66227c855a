/** Times that are buffered, as a media element tells of them. Seconds. */
export class VirtualTimeRanges {
  #ranges: { start: number; end: number }[] = [];

  get length(): number {
    return this.#ranges.length;
  }

  start(index: number): number {
    return this.#at(index).start;
  }

  end(index: number): number {
    return this.#at(index).end;
  }

  /** Joins what touches it. */
  add(start: number, end: number): void {
    const TOUCHING_S = 0.05;
    const apart = this.#ranges.filter(
      (range) => range.end < start - TOUCHING_S || range.start > end + TOUCHING_S,
    );
    const joined = this.#ranges.filter((range) => !apart.includes(range));
    const first = Math.min(start, ...joined.map((range) => range.start));
    const last = Math.max(end, ...joined.map((range) => range.end));
    this.#ranges = [...apart, { start: first, end: last }].toSorted((a, b) => a.start - b.start);
  }

  remove(start: number, end: number): void {
    this.#ranges = this.#ranges.flatMap((range) =>
      [
        { start: range.start, end: Math.min(range.end, start) },
        { start: Math.max(range.start, end), end: range.end },
      ].filter((piece) => piece.end > piece.start),
    );
  }

  /** Up to when there is no gap from `time` on; `time` itself where nothing is buffered there. */
  endAt(time: number): number {
    const EPSILON_S = 1e-6;
    return this.#ranges.find((range) => range.start <= time + EPSILON_S && time < range.end)?.end ?? time;
  }

  #at(index: number): { start: number; end: number } {
    const range = this.#ranges[index];
    if (range === undefined) throw new RangeError(`there is no range ${index} of ${this.#ranges.length}`);
    return range;
  }
}
