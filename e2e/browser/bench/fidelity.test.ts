import { expect, test } from "vitest";
import { figuresOf } from "./fidelity.ts";

test("a figure is that of the means, and has each repeat's own deviation beside it", () => {
  // means 11 and 10 Mbit/s, 52 and 50 ms: 10 % and 2 ms apart
  const [throughput, delay] = figuresOf(
    "cubic",
    { throughputsMbps: [12, 10], delaysMs: [64, 40] },
    { throughputsMbps: [10, 10], delaysMs: [60, 40] },
  );
  expect(throughput?.value).toBeCloseTo(10, 9);
  expect(throughput?.samples[0]).toBeCloseTo(20, 9);
  expect(throughput?.samples[1]).toBe(0);
  expect(throughput?.reach).toEqual({ comparison: "at most", value: 5 });
  expect(delay).toMatchObject({ value: 2, samples: [4, 0], reach: { comparison: "at most", value: 5 } });
});

test("a repeat that failed leaves no value, and a gap among the samples", () => {
  const [throughput, delay] = figuresOf(
    "cubic",
    { throughputsMbps: [12, null], delaysMs: [64, null] },
    { throughputsMbps: [12, 10], delaysMs: [60, 40] },
  );
  expect(throughput).toMatchObject({ value: null, samples: [0, null] });
  expect(delay).toMatchObject({ value: null, samples: [4, null] });
});
