import { expect, test, vi } from "vitest";
import { BROWSER_KINDS } from "../browsers/program.ts";
import { runScenario, watch } from "./scenario.ts";

const SEEKS = [
  { afterSeconds: 1, toSeconds: 20 },
  { afterSeconds: 4, toSeconds: 2 },
];

/** Each mostly waits. */
vi.setConfig({ maxConcurrency: 2 });

test.concurrent.for(BROWSER_KINDS)(
  "%s follows a jump ahead and one back, and what was being loaded for elsewhere does no harm",
  async (browser, context) => {
    const workload = watch(8, SEEKS);
    const { bundle } = await runScenario(context, {
      name: `loopback-seek-${browser}`,
      browser,
      link: null,
      workload,
    });
    const { playback } = bundle.metrics;
    // 8 s of watching with two jumps: 4 s leave as much room again for filling the buffer
    expect(playback?.playedSeconds).toBeGreaterThanOrEqual(4);
  },
);
