import { expect, test } from "vitest";
import { runScenario } from "./scenario.ts";

test("Nuwa fills 24 Mbit/s and keeps the queue short, and the page sees the queue as it is", async (context) => {
  const { bundle } = await runScenario(context, {
    name: "link-bulk-nuwa",
    scheme: "nuwa",
    link: { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0 },
    workload: { kind: "bulk", bytes: 10_000_000 },
  });
  const { goodputMegabitsPerSecond, link, pageDelayErrorMs, receiverEstimate } = bundle.metrics;
  expect(link?.capacityBitsPerSecond).toBeGreaterThan(23.5e6);
  expect(goodputMegabitsPerSecond).toBeGreaterThan(14);
  expect(goodputMegabitsPerSecond).toBeLessThan(24);
  // CUBIC fills the queue's 123 ms
  expect(link?.queueingDelayMeanMs).toBeLessThan(60);
  expect(pageDelayErrorMs).toBeLessThanOrEqual(15); // 1 to 2 on a quiet machine
  expect(receiverEstimate?.ofPayloadCapacity).toBeLessThan(0.25);
});
