import { describe, expect, it } from "vitest";
import { Timeline } from "./timeline.ts";

const filled = (times: readonly number[], spanSeconds = 60): Timeline<"delay"> => {
  const timeline = new Timeline(["delay"], spanSeconds);
  for (const at of times) {
    timeline.add(at, { delay: 10 * at });
  }
  return timeline;
};

describe("a timeline", () => {
  it("holds rows in their order, gaps included", () => {
    const timeline = new Timeline(["delay", "buffer"], 60);
    timeline.add(1, { delay: null, buffer: 2 });
    timeline.add(2, { delay: 5, buffer: 3 });
    expect(timeline.seconds).toEqual([1, 2]);
    expect(timeline.column("delay")).toEqual([null, 5]);
    expect(timeline.column("buffer")).toEqual([2, 3]);
  });

  it("drops what is older than its span, but for the row at its edge", () => {
    const timeline = filled([0, 1, 2, 3, 4, 5], 3);
    expect(timeline.seconds).toEqual([1, 2, 3, 4, 5]);
    expect(timeline.column("delay")).toEqual([10, 20, 30, 40, 50]);
  });

  it("stays bounded however long it is fed", () => {
    const timeline = filled(
      Array.from({ length: 10_000 }, (_, place) => place / 4),
      60,
    );
    expect(timeline.seconds.length).toBeLessThanOrEqual(4 * 60 + 2);
    expect(timeline.column("delay").length).toBe(timeline.seconds.length);
  });

  it("leaves out a row that is not newer than the last", () => {
    expect(filled([1, 2, 2, 1.5]).seconds).toEqual([1, 2]);
  });

  it("finds the row that was valid at a time", () => {
    const timeline = filled([10, 20, 30]);
    expect(timeline.placeAt(9)).toBeNull();
    expect(timeline.placeAt(20)).toBe(1);
    expect(timeline.placeAt(29.9)).toBe(1);
    expect(timeline.placeAt(99)).toBe(2);
  });
});
