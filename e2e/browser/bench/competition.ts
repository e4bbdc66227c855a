import { runFairness, shareBins } from "../../laboratory/fairness.ts";
import type { RunPlan } from "../../laboratory/plan.ts";
import type { RunResult } from "../../laboratory/result.ts";
import { markdownTable } from "../markdown-table.ts";
import { mean } from "../statistics.ts";
import type { BenchContext, Benchmark, Figure, Sample } from "./benchmark.ts";
import { meanFigure } from "./figures.ts";
import { bulkFlow, constantRateLink, linkRun, resultsOf } from "./link-runs.ts";

const RATE = "10mbit";
/** The first is judged; the paper does not say how long its queue was. */
const QUEUES_PACKETS = [300, 200, 100];
const DURATION_SECONDS = 100;
/** One more flow so often; the paper's order. */
const STEP_SECONDS = 10;
const SCHEMES = ["nuwa", "nuwa", "cubic", "cubic"];
/** By how much later each flow begins in each repeat: without chance, equal runs end equally. */
const SHIFT_SECONDS = 0.1;
const LARGEST_DEVIATION_PERCENT = 20;

/** Nuwa against CUBIC, as in figure 8 of Nuwa's paper. */
export const competition: Benchmark = {
  name: "competition",
  summary:
    "two flows of Nuwa (preset compete), then two of CUBIC, one each 10 s, 10 Mbit/s (simulated): their shares",
  defaultRepeats: 5,
  places: ["simulation"],
  run,
};

async function run(bench: BenchContext): Promise<Figure[]> {
  const preset = bench.presetOr("compete");
  const repeats = Array.from({ length: bench.repeats }, (_, repeat) => repeat);
  const links = await Promise.all(QUEUES_PACKETS.map((packets) => constantRateLink(RATE, packets)));
  const runs = links.flatMap((link) =>
    repeats.map((repeat) => {
      const flows = SCHEMES.map((scheme, index) =>
        bulkFlow(scheme, preset, index * (STEP_SECONDS + repeat * SHIFT_SECONDS)),
      );
      const arm = { name: `competition, ${link.choice.queuePackets} packets`, flows };
      return linkRun({ link, arm, seed: repeat + 1, durationSeconds: DURATION_SECONDS });
    }),
  );
  const results = await resultsOf(bench, runs);
  const outcomes = runs.map(({ plan }, index) => ({ plan, result: results[index] ?? null }));
  const first = outcomes[0];
  if (first?.result) bench.tables.push(sharesOverTime(first.plan, first.result));
  return QUEUES_PACKETS.flatMap((packets, index) =>
    figuresOf(outcomes.slice(index * bench.repeats, (index + 1) * bench.repeats), {
      queue: `${packets} packets`,
      isJudged: index === 0,
    }),
  );
}

interface Outcome {
  plan: RunPlan;
  result: RunResult | null;
}

/** Over the last 30 s, when the shares have long settled. */
function figuresOf(
  outcomes: readonly Outcome[],
  { queue, isJudged }: { queue: string; isJudged: boolean },
): Figure[] {
  const settled = outcomes.map(({ plan, result }) =>
    result === null ? null : runFairness(plan, result.intervals),
  );
  const shares = SCHEMES.map((scheme, flow) => {
    const percents = settled.map((one): Sample => {
      const share = one?.shares[flow] ?? null;
      return share === null ? null : (share * SCHEMES.length - 1) * 100;
    });
    const figure = meanFigure(
      { what: `${queue}: flow ${flow + 1} (${scheme}) beside its fair share`, unit: "%" },
      percents,
    );
    return isJudged ? withBounds(figure) : [figure];
  });
  const jain = meanFigure(
    { what: `${queue}: Jain's index`, unit: "" },
    settled.map((one) => one?.jain ?? null),
  );
  return [...shares.flat(), jain];
}

/** The same figure held to both sides of what is fair. */
function withBounds(figure: Figure): Figure[] {
  return [
    { ...figure, reach: { comparison: "at least", value: -LARGEST_DEVIATION_PERCENT } },
    { ...figure, reach: { comparison: "at most", value: LARGEST_DEVIATION_PERCENT } },
  ];
}

function sharesOverTime(plan: RunPlan, result: RunResult): string {
  const bins = shareBins(plan, result.intervals);
  const header = ["from s", ...SCHEMES.map((scheme, index) => `${index + 1}: ${scheme}, Mbit/s`), "Jain"];
  const rows: string[][] = [];
  for (let from = 0; from < DURATION_SECONDS; from += STEP_SECONDS) {
    const stretch = bins.slice(from, from + STEP_SECONDS);
    const rates = SCHEMES.map((_, flow) =>
      meanOf(stretch.map(({ bitsPerSecond }) => bitsPerSecond[flow] ?? null)),
    );
    rows.push([
      String(from),
      ...rates.map((rate) => (rate === null ? "" : (rate / 1e6).toFixed(2))),
      meanOf(stretch.map(({ jain }) => jain))?.toFixed(3) ?? "",
    ]);
  }
  return markdownTable([header, ...rows]);
}

function meanOf(values: readonly (number | null)[]): number | null {
  return mean(values.filter((value) => value !== null));
}
