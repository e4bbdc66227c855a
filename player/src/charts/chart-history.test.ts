import { describe, expect, it } from "vitest";
import { ChartHistory, RECENT_SECONDS } from "./chart-history.ts";

const filled = (times: readonly number[]): ChartHistory<"delay" | "buffer"> => {
  const history = new ChartHistory(["delay", "buffer"], ["delay"]);
  for (const at of times) {
    history.add(at, { delay: 10 * at, buffer: at });
  }
  return history;
};
const quarters = (count: number): number[] => Array.from({ length: count }, (_, place) => place / 4);

describe("a chart's history", () => {
  it("holds rows in their order, gaps included, and none that is not newer than the last", () => {
    const history = new ChartHistory(["delay"]);
    history.add(1, { delay: null });
    history.add(2, { delay: 5 });
    history.add(2, { delay: 7 });
    history.add(1.5, { delay: 7 });
    for (const span of [60, null]) {
      expect(history.rows(span).seconds).toEqual([1, 2]);
      expect(history.rows(span).column("delay")).toEqual([null, 5]);
    }
  });

  it("keeps the newest minutes as they were sampled, and the row at their edge", () => {
    const { seconds } = filled(quarters(4 * 1000)).rows(RECENT_SECONDS);
    expect(seconds.length).toBe(4 * RECENT_SECONDS + 2);
    expect(seconds[0]).toBe(999.75 - RECENT_SECONDS - 0.25);
  });

  it("keeps all of a film in few rows, its peaks among them", () => {
    const history = filled(quarters(40_000));
    history.add(10_000, { delay: 1e6, buffer: 1 });
    for (const at of quarters(40_000)) {
      history.add(10_001 + at, { delay: 1, buffer: 1 });
    }
    const rows = history.rows(null);
    expect(rows.seconds.length).toBeLessThanOrEqual(2001);
    expect(history.beganSeconds).toBeLessThan(30);
    expect(Math.max(...rows.column("delay").map((value) => value ?? 0))).toBe(1e6);
    expect(rows.column("buffer").length).toBe(rows.seconds.length);
  });

  it("gives a copy that later rows do not reach", () => {
    const history = filled([1, 2]);
    const copy = history.copy();
    history.add(3, { delay: 1, buffer: 1 });
    expect(copy.rows(60).seconds).toEqual([1, 2]);
    expect(copy.rows(null).column("delay")).toEqual([10, 20]);
  });

  it("tells what was known last of a column that ends before the others", () => {
    const history = filled([1, 2]);
    history.add(3, { delay: null, buffer: 0 });
    const rows = history.rows(null);
    expect([rows.lastKnown("delay"), rows.lastKnown("buffer")]).toEqual([20, 0]);
    expect(filled([]).rows(null).lastKnown("delay")).toBeNull();
  });

  it("finds the row that was valid at a time", () => {
    const rows = filled([10, 20, 30]).rows(60);
    expect(rows.placeAt(9)).toBeNull();
    expect(rows.placeAt(20)).toBe(1);
    expect(rows.placeAt(29.9)).toBe(1);
    expect(rows.placeAt(99)).toBe(2);
  });
});
