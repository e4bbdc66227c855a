import { expect, test, vi } from "vitest";
import { BROWSER_KINDS } from "../browsers/program.ts";
import { runScenario, watch } from "./scenario.ts";

/** Each mostly waits. */
vi.setConfig({ maxConcurrency: 2 });

test.concurrent.for(BROWSER_KINDS)(
  "the film plays on loopback in %s and climbs the ladder",
  async (browser, context) => {
    const name = `loopback-film-${browser}`;
    const { bundle } = await runScenario(context, { name, browser, link: null, workload: watch(10) });
    const { playback, segmentMegabitsPerSecond: bitrates } = bundle.metrics;
    expect(playback?.playedSeconds).toBeGreaterThanOrEqual(5);
    expect(playback?.startupSeconds).toBeLessThan(10);
    expect(Math.max(...(bitrates ?? []))).toBeGreaterThan(bitrates?.[0] ?? Number.POSITIVE_INFINITY);
  },
);
