import { expect, test } from "vitest";
import { runScenario, watch } from "./scenario.ts";

test("a jump ahead and one back are followed, and what was being loaded for elsewhere does no harm", async (context) => {
  const seeks = [
    { afterSeconds: 1, toSeconds: 20 },
    { afterSeconds: 4, toSeconds: 2 },
  ];
  const { bundle } = await runScenario(context, {
    name: "loopback-seek",
    link: null,
    workload: watch(8, seeks),
  });
  const { playback } = bundle.metrics;
  // 8 s of watching with two jumps: 4 s leave as much room again for filling the buffer
  expect(playback?.playedSeconds).toBeGreaterThanOrEqual(4);
});
