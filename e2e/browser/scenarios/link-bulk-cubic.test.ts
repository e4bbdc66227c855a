import { expect, test } from "vitest";
import { runScenario } from "./scenario.ts";

test("CUBIC fills 24 Mbit/s and the queue with it", async (context) => {
  const { bundle } = await runScenario(context, {
    name: "link-bulk-cubic",
    scheme: "cubic",
    link: { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 },
    workload: { kind: "bulk", bytes: 10_000_000 },
  });
  const { goodputMegabitsPerSecond, link } = bundle.metrics;
  expect(goodputMegabitsPerSecond).toBeGreaterThan(14);
  expect(goodputMegabitsPerSecond).toBeLessThan(24);
  expect(link?.queueingDelayMaxMs).toBeGreaterThan(60);
});
