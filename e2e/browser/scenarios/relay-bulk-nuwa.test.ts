import { expect, test } from "vitest";
import { runScenario } from "./scenario.ts";

test("Nuwa fills 24 Mbit/s of the relay's, which needs neither root nor mahimahi", async (context) => {
  const { bundle } = await runScenario(context, {
    name: "relay-bulk-nuwa",
    scheme: "nuwa",
    link: { trace: "24mbit", delayMs: 20, queuePackets: 300, lossRatio: 0, via: "relay" },
    workload: { kind: "bulk", bytes: 10_000_000 },
  });
  const { goodputMegabitsPerSecond, link, pageDelayErrorMs } = bundle.metrics;
  expect(link?.capacityBitsPerSecond).toBeGreaterThan(23.5e6);
  expect(goodputMegabitsPerSecond).toBeGreaterThan(14);
  expect(goodputMegabitsPerSecond).toBeLessThan(24);
  // CUBIC fills the queue's 123 ms
  expect(link?.queueingDelayMeanMs).toBeLessThan(70);
  expect(pageDelayErrorMs).toBeLessThanOrEqual(15); // 1 on a quiet machine
});
