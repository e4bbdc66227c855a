import { expect, test } from "vitest";
import { linearQoe } from "./linear-qoe.ts";

test("bitrates add up, rebuffering costs 4.3 a second, each change costs its height", () => {
  // bitrates 0.5 + 3 + 3 + 1.5 = 8; 0.5 s * 4.3 = 2.15; changes 2.5 + 0 + 1.5 = 4; 8 - 2.15 - 4 = 1.85
  const qoe = linearQoe({ segmentMegabitsPerSecond: [0.5, 3, 3, 1.5], rebufferSeconds: 0.5 });
  expect(qoe?.bitrateSum).toBeCloseTo(8, 12);
  expect(qoe?.rebufferPenalty).toBeCloseTo(2.15, 12);
  expect(qoe?.smoothnessPenalty).toBeCloseTo(4, 12);
  expect(qoe?.total).toBeCloseTo(1.85, 12);
  expect(qoe?.perSegment).toBeCloseTo(0.4625, 12);
});

test("one segment has no change to pay for", () => {
  expect(linearQoe({ segmentMegabitsPerSecond: [5], rebufferSeconds: 0 })?.total).toBe(5);
});

test("a film of which nothing was played has no QoE", () => {
  expect(linearQoe({ segmentMegabitsPerSecond: [], rebufferSeconds: 3 })).toBeNull();
});
