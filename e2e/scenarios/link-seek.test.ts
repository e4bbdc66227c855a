import { expect, test } from "vitest";
import { runScenario, watch } from "./scenario.ts";

test("on a slow link, downloads that a jump makes useless are cancelled and the film goes on", async (context) => {
  const { bundle } = await runScenario(context, {
    name: "link-seek",
    link: { trace: "3mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 },
    workload: watch(14, [{ afterSeconds: 2, toSeconds: 22 }]),
  });
  expect(bundle.metrics.playback?.playedSeconds).toBeGreaterThanOrEqual(5);
  expect(bundle.problems).toEqual([]);
});
