import { createHash } from "node:crypto";
import type { RunResult } from "../../laboratory/result.ts";
import { simulatorPython } from "../../laboratory/simulators.ts";
import { ROOT } from "../environment.ts";
import { LinkError, type TracePair } from "../link/trace.ts";
import { markdownTable } from "../markdown-table.ts";
import { runCommand } from "../setup/run-command.ts";
import { mean } from "../statistics.ts";
import type { BenchContext, Benchmark, Figure, Sample } from "./benchmark.ts";
import { ratios } from "./figures.ts";
import { benchLink, bulkFlow, linkRun, resultsOf } from "./link-runs.ts";

/** Its seeds begin here, far from those of the traces that have names, and behind all that Nuwa was chosen on. */
const FIRST_SEED = 301;
const QUEUE_PACKETS = 300;
const DURATION_SECONDS = 80;
const TRACE_LIMIT_MS = 60_000;
const NUWA = "Nuwa";
/** Senders alone make nothing of it; always the same, so that their runs need not be made again for another. */
const NO_RECEIVERS_PRESET = "on-demand";
/** As the paper writes them; its PCC is the first. */
const BASELINES: Readonly<Record<string, string>> = {
  BBR: "bbr",
  BBRPlus: "bbrplus",
  CUBIC: "cubic",
  Inigo: "inigo",
  PCC: "pcc-allegro",
  Vegas: "vegas",
  Westwood: "westwood",
};
const LEAST_VOLUME_SHARE = 0.99;
const SIMILAR_VOLUME = 0.1;

/** Table I of Nuwa's paper. */
export const tableOne: Benchmark = {
  name: "table-1",
  summary:
    "80 s over 5G-like links of 20 Mbit/s (simulated): Nuwa (preset mobile) and the paper's seven others",
  defaultRepeats: 5,
  places: ["simulation"],
  run,
};

/** One scheme's runs, seed by seed. */
interface Row {
  name: string;
  megabytes: Sample[];
  lossPercent: Sample[];
  delayMs: Sample[];
}

async function run(bench: BenchContext): Promise<Figure[]> {
  const seeds = Array.from({ length: bench.repeats }, (_, index) => FIRST_SEED + index);
  const links = await Promise.all(
    seeds.map(async (seed) => benchLink(await handoverTrace(seed), QUEUE_PACKETS)),
  );
  const preset = bench.presetOr("mobile");
  const arms = Object.entries({ ...BASELINES, [NUWA]: "nuwa" }).map(([name, scheme]) => ({
    name,
    flows: [bulkFlow(scheme, name === NUWA ? preset : NO_RECEIVERS_PRESET)],
  }));
  const runs = arms.flatMap((arm) =>
    links.map((link, index) =>
      linkRun({ link, arm, seed: seeds[index] as number, durationSeconds: DURATION_SECONDS }),
    ),
  );
  const results = await resultsOf(bench, runs);
  const rows = arms.map(({ name }, index) =>
    rowOf(name, results.slice(index * seeds.length, (index + 1) * seeds.length)),
  );
  bench.tables.push(paperTable(rows));
  return figuresOf(rows);
}

async function handoverTrace(seed: number): Promise<TracePair> {
  const args = ["-m", "e2e.browser.bench.handover_trace", String(seed)];
  const { code, stdout, stderr } = await runCommand(simulatorPython(), args, {
    cwd: ROOT,
    timeoutMs: TRACE_LIMIT_MS,
  });
  if (code !== 0) throw new LinkError(`the trace with handovers was not made: ${stderr.trim()}`);
  const sha256 = createHash("sha256").update(stdout).digest("hex");
  return {
    ...{ name: `handovers ${seed}`, downlink: stdout, uplink: stdout },
    ...{ downlinkSha256: sha256, uplinkSha256: sha256 },
  };
}

function rowOf(name: string, results: readonly (RunResult | null)[]): Row {
  const flows = results.map((result) => result?.flows[0] ?? null);
  return {
    name,
    megabytes: flows.map((flow) => flow && (flow.goodputBitsPerSecond * DURATION_SECONDS) / 8e6),
    lossPercent: flows.map((flow) =>
      flow === null || flow.packetsLost === null || !flow.packetsSent
        ? null
        : (flow.packetsLost / flow.packetsSent) * 100,
    ),
    delayMs: flows.map((flow) => flow?.queueingDelay?.meanMs ?? null),
  };
}

function paperTable(rows: readonly Row[]): string {
  return markdownTable([
    ["Algorithm", "Transferred data size", "Packet loss rate", "Average queue delay"],
    ...rows.map(({ name, megabytes, lossPercent, delayMs }) => [
      name,
      meanAndSpread(megabytes, "MB", 1),
      meanAndSpread(lossPercent, "%", 2),
      meanAndSpread(delayMs, "ms", 1),
    ]),
  ]);
}

/** Mean and standard deviation over the seeds. */
function meanAndSpread(samples: readonly Sample[], unit: string, digits: number): string {
  const middle = meanOf(samples);
  if (middle === null) return "failed";
  const values = samples.filter((sample) => sample !== null);
  const squares = values.map((value) => (value - middle) ** 2);
  const spread = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / Math.max(1, values.length - 1));
  return `${middle.toFixed(digits)} ± ${spread.toFixed(digits)} ${unit}`;
}

function figuresOf(rows: readonly Row[]): Figure[] {
  const measured = rows.flatMap((row) => {
    const [volume, delayMs] = [meanOf(row.megabytes), meanOf(row.delayMs)];
    return volume === null || delayMs === null ? [] : [{ ...row, volume, meanDelayMs: delayMs }];
  });
  const known = measured.length < rows.length ? [] : measured; // who is missing may have been the first
  const nuwa = known.find(({ name }) => name === NUWA);
  const others = known.filter(({ name }) => name !== NUWA);
  const largest = others.toSorted((one, other) => other.volume - one.volume)[0];
  const similar = others
    .filter(({ volume }) => nuwa !== undefined && Math.abs(volume / nuwa.volume - 1) <= SIMILAR_VOLUME)
    .toSorted((one, other) => one.meanDelayMs - other.meanDelayMs)[0];
  return [
    {
      ...{ what: `data, Nuwa / ${largest?.name ?? "the most"}`, unit: "" },
      value: nuwa && largest ? nuwa.volume / largest.volume : null,
      samples: nuwa && largest ? ratios(nuwa.megabytes, largest.megabytes) : [],
      reach: { comparison: "at least", value: LEAST_VOLUME_SHARE },
    },
    {
      ...{
        what: `queue delay, Nuwa / ${similar?.name ?? "any"}, the lowest within 10 % of its data`,
        unit: "",
      },
      value: nuwa && similar ? nuwa.meanDelayMs / similar.meanDelayMs : null,
      samples: nuwa && similar ? ratios(nuwa.delayMs, similar.delayMs) : [],
      reach: { comparison: "at most", value: 1 },
    },
  ];
}

/** null where a run failed. */
function meanOf(samples: readonly Sample[]): number | null {
  const values = samples.filter((sample) => sample !== null);
  return values.length < samples.length ? null : mean(values);
}
