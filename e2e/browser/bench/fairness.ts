import { runFairness } from "../../laboratory/fairness.ts";
import type { BenchContext, Benchmark, Figure } from "./benchmark.ts";
import { meanFigure } from "./figures.ts";
import { bulkFlow, constantRateLink, linkRun, resultsOf } from "./link-runs.ts";

const RATE = "24mbit";
const QUEUE_PACKETS = 300;
const DURATION_SECONDS = 60;
const SECOND_FROM_SECONDS = 10;
/** By how much later the second flow begins in each repeat: without chance, equal runs end equally. */
const SHIFT_SECONDS = 0.1;
const SCHEMES = ["cubic", "bbr", "copa", "pcc-vivace"];
const LEAST_JAIN = 0.95;

/** How two flows of one scheme share a link. */
export const fairness: Benchmark = {
  name: "fairness",
  summary:
    "two flows of one scheme, 24 Mbit/s, 60 s, the second from 10 s (simulated): Jain's index of the last 30 s",
  defaultRepeats: 5,
  places: ["simulation"],
  run,
};

async function run(bench: BenchContext): Promise<Figure[]> {
  const link = await constantRateLink(RATE, QUEUE_PACKETS);
  const presets = [...new Set([bench.presetOr("compete"), "on-demand"])];
  const arms = [
    ...SCHEMES.map((scheme) => ({ name: scheme, scheme, preset: "on-demand" })),
    ...presets.map((preset) => ({ name: `nuwa (${preset})`, scheme: "nuwa", preset })),
  ];
  const runs = arms.flatMap(({ name, scheme, preset }) =>
    Array.from({ length: bench.repeats }, (_, repeat) => {
      const secondFrom = SECOND_FROM_SECONDS + SHIFT_SECONDS * repeat;
      const flows = [bulkFlow(scheme, preset), bulkFlow(scheme, preset, secondFrom)];
      const arm = { name, flows };
      return linkRun({ link, arm, seed: repeat + 1, durationSeconds: DURATION_SECONDS });
    }),
  );
  const results = await resultsOf(bench, runs);
  const jains = results.map((result, index) => {
    const plan = runs[index]?.plan;
    return result === null || plan === undefined ? null : runFairness(plan, result.intervals).jain;
  });
  return arms.map(({ name }, index) =>
    meanFigure(
      { what: `Jain's index, ${name}`, unit: "", reach: { comparison: "at least", value: LEAST_JAIN } },
      jains.slice(index * bench.repeats, (index + 1) * bench.repeats),
    ),
  );
}
