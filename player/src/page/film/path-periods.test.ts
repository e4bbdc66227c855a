import { expect, it } from "vitest";
import { PathPeriods } from "./path-periods.ts";

it("makes a band of each time in which the film came over HTTP", () => {
  const periods = new PathPeriods();
  periods.add(1, "connecting");
  periods.add(2, "http");
  periods.add(3, "http");
  periods.add(4, "webtransport");
  periods.add(9, "http");
  expect(periods.overHttp(1)).toEqual([
    { kind: "http", fromSeconds: 2, toSeconds: 4, side: 1 },
    { kind: "http", fromSeconds: 9, toSeconds: null, side: 1 },
  ]);
});
