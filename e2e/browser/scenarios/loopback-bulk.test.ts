import { expect, test } from "vitest";
import { runScenario } from "./scenario.ts";

test("a download on loopback arrives whole", async (context) => {
  const bytes = 20_000_000;
  const { bundle } = await runScenario(context, {
    name: "loopback-bulk",
    link: null,
    workload: { kind: "bulk", bytes },
  });
  expect(bundle.metrics.goodputMegabitsPerSecond).toBeGreaterThan(20);
  expect(bundle.metrics.page?.stamps).toBeGreaterThan(20); // one leads each flight, and a late loop has long ones
  if (process.platform === "linux") expect(bundle.metrics.serverCpuSeconds).toBeGreaterThan(0);
});
