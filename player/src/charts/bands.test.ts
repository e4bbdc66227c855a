import { expect, it } from "vitest";
import { type Band, visibleBands } from "./bands.ts";

const stall = (fromSeconds: number, toSeconds: number | null): Band => ({
  kind: "stall",
  fromSeconds,
  toSeconds,
  side: null,
});

it("cuts bands to what is visible and drops the others", () => {
  expect(visibleBands([stall(0, 5), stall(8, 12), stall(18, 25), stall(30, 31)], 10, 20)).toEqual([
    stall(10, 12),
    stall(18, 20),
  ]);
});

it("lets a band that lasts reach the end", () => {
  expect(visibleBands([stall(15, null)], 10, 20)).toEqual([stall(15, 20)]);
});
