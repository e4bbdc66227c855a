import { expect, test } from "vitest";
import { runScenario, watch } from "./scenario.ts";

test("the film plays on loopback and climbs the ladder", async (context) => {
  const { bundle } = await runScenario(context, { name: "loopback-film", link: null, workload: watch(10) });
  const { playback, segmentMegabitsPerSecond: bitrates } = bundle.metrics;
  expect(playback?.playedSeconds).toBeGreaterThanOrEqual(5);
  expect(playback?.startupSeconds).toBeLessThan(10);
  expect(Math.max(...(bitrates ?? []))).toBeGreaterThan(bitrates?.[0] ?? Number.POSITIVE_INFINITY);
});
