import { expect, it } from "vitest";
import { SegmentSizes } from "./segment-sizes.ts";

it("goes by the manifest before anything came", () => {
  expect(new SegmentSizes().expectedBits(2e6, 4)).toBe(8e6);
});

it("learns what a rung weighs, and takes others to be like it", () => {
  const sizes = new SegmentSizes();
  sizes.add(2e6, 2, 2e6); // half of nominal, which counts as one segment beside the manifest's
  expect(sizes.expectedBits(2e6, 2)).toBeCloseTo(((0.5 + 0.75) / 2) * 4e6, 6);
  expect(sizes.expectedBits(5e6, 2)).toBeCloseTo(0.75 * 10e6, 6);
});

it("tells rungs apart once it has them", () => {
  const sizes = new SegmentSizes();
  for (let segment = 0; segment < 30; segment++) {
    sizes.add(1e6, 2, 2e6);
    sizes.add(8e6, 2, 8e6);
  }
  expect(sizes.expectedBits(1e6, 2)).toBeCloseTo(2e6, -5);
  expect(sizes.expectedBits(8e6, 2)).toBeLessThan(9e6);
});

it.each([0, Number.NaN, Number.POSITIVE_INFINITY])("takes no segment of %d bits", (bits) => {
  const sizes = new SegmentSizes();
  sizes.add(2e6, 2, bits);
  expect(sizes.expectedBits(2e6, 2)).toBe(4e6);
});
