import { findTraces } from "../link/trace.ts";
import type { BenchContext, Benchmark, Figure } from "./benchmark.ts";
import { meanFigure } from "./figures.ts";
import { benchLink, bulkFlow, linkRun, resultsOf } from "./link-runs.ts";

const RATE = "100mbit";
/** A little more than the path holds by itself. */
const QUEUE_PACKETS = 500;
const DURATION_SECONDS = 20;
const SCHEMES = ["cubic", "bbr", "nuwa"];
const LEAST_MBPS = 90;

/** What the media server carries, and what that takes. */
export const fastLink: Benchmark = {
  name: "fast-link",
  summary:
    "100 Mbit/s, 20 ms each way, 500 packets under mahimahi: throughput, and the media server's CPU share",
  defaultRepeats: 3,
  places: ["mahimahi"],
  run,
};

async function run(bench: BenchContext): Promise<Figure[]> {
  const link = benchLink(await findTraces(RATE, null), QUEUE_PACKETS);
  const preset = bench.presetOr("on-demand");
  const runs = Array.from({ length: bench.repeats }, (_, repeat) => repeat + 1).flatMap((seed) =>
    SCHEMES.map((scheme) =>
      linkRun({
        ...{ link, place: "mahimahi", seed, durationSeconds: DURATION_SECONDS },
        arm: { name: scheme, flows: [bulkFlow(scheme, preset)] },
      }),
    ),
  );
  const results = await resultsOf(bench, runs);
  return SCHEMES.flatMap((scheme) => {
    const own = results.filter((_, index) => runs[index]?.plan.arm.name === scheme);
    return [
      meanFigure(
        {
          ...{ what: `${scheme}: throughput`, unit: "Mbit/s" },
          reach: { comparison: "at least", value: LEAST_MBPS },
        },
        own.map((result) => result && result.link.throughputBitsPerSecond / 1e6),
      ),
      meanFigure(
        { what: `${scheme}: mean queueing delay`, unit: "ms" },
        own.map((result) => result?.flows[0]?.queueingDelay?.meanMs ?? null),
      ),
      meanFigure(
        { what: `${scheme}: the media server's share of a core`, unit: "%" },
        own.map((result) => (result?.serverCpuShare == null ? null : result.serverCpuShare * 100)),
      ),
    ];
  });
}
