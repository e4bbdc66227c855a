import { expect, test } from "vitest";
import { runScenario, watch } from "./scenario.ts";

test("the film plays over a recorded LTE link", async (context) => {
  const { bundle } = await runScenario(context, {
    name: "link-film-lte",
    link: { trace: "Verizon-LTE-short", delayMs: 20, queuePackets: 1000, lossRatio: 0 },
    workload: watch(20),
  });
  const { playback, qoe, link, receiverEstimate, dashjsEstimate } = bundle.metrics;
  expect(playback?.playedSeconds).toBeGreaterThanOrEqual(10);
  expect(qoe).not.toBeNull();
  expect(link?.departedPackets).toBeGreaterThan(500);
  expect(receiverEstimate?.seconds).toBeGreaterThan(0);
  expect(dashjsEstimate?.seconds).toBeGreaterThan(0);
});
