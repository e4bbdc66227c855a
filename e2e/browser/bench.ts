/**
 * `npm run bench -- NAME [--repeats N] [--preset NAME]`. Prints a table and leaves it, with where its runs' bundles lie, under
 * .build/e2e/bench. `npm run bench -- --schemes ...` runs a matrix (laboratory/).
 * Exit status: 0 measured (whatever the figures say), 1 a run failed, 2 the options make no sense.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { readRegistry } from "../../server/setup/registry.ts";
import { prepareLaboratory } from "../laboratory/machine.ts";
import { BenchContext, type Benchmark, titleOf } from "./bench/benchmark.ts";
import { BENCHMARKS } from "./bench/registry.ts";
import { formatTable } from "./bench/table.ts";
import { OptionError } from "./cell/options.ts";
import { readVersions } from "./cell/versions.ts";
import { BUILD_DIRECTORY, ROOT } from "./environment.ts";
import { LinkError } from "./link/trace.ts";
import { prepareMachine } from "./prepare-machine.ts";
import { abortOnSignals } from "./process/abort-on-signals.ts";
import type { Mahimahi } from "./setup/shell-command.ts";

const NAME_WIDTH = Math.max(...BENCHMARKS.map(({ name }) => name.length));

const HELP = `Runs a benchmark: its cells side by side, several times, and a table of figures.

  npm run bench -- NAME [--repeats N] [--preset NAME] [--fresh]

${BENCHMARKS.map(({ name, summary, defaultRepeats }) => `  ${name.padEnd(NAME_WIDTH)} ${summary} (${defaultRepeats} times)`).join("\n")}

  --repeats N     how often each arm is run
  --preset NAME   Nuwa's preset instead of the benchmark's own
  --fresh         make the laboratory's runs again that were made before with the same sources
  --help          this text

  npm run bench -- --schemes nuwa,cubic --links 24mbit,lte-like --seeds 5       a matrix of congestion control alone
  npm run bench -- --schemes nuwa --help                                        its options
`;

interface Request {
  benchmark: Benchmark;
  repeats: number;
  preset: string | null;
  isFresh: boolean;
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const asksForMatrix = args[0]?.startsWith("--") === true && args[0] !== "--help";
  await (asksForMatrix ? runMatrix(args) : runBenchmark(args));
}

/** A matrix is the Python laboratory's, which says what its options are. */
async function runMatrix(args: readonly string[]): Promise<void> {
  const bootstrap = join(ROOT, "server", "setup", "bootstrap.mjs");
  const { exitCode } = await execa(process.execPath, [bootstrap, "nuwa", "bench", ...args], {
    ...{ stdio: "inherit", reject: false, cancelSignal: abortOnSignals(), forceKillAfterDelay: false },
  });
  process.exitCode = exitCode ?? 1;
}

async function runBenchmark(args: readonly string[]): Promise<void> {
  const request = parse(args);
  if (request === null) {
    process.stdout.write(HELP);
    return;
  }
  const { benchmark, repeats, preset, isFresh } = request;
  const signal = abortOnSignals();
  const mahimahi = await prepare(benchmark, signal);
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const bench = new BenchContext({ repeats, preset, mahimahi, isFresh, control: { signal, onProgress } });
  const figures = await benchmark.run(bench);
  const tables = [...bench.tables, formatTable(figures)].join("\n");
  const title = titleOf(benchmark, preset);
  process.stdout.write(`\n${title}\n\n${tables}`);

  const directory = join(BUILD_DIRECTORY, "e2e", "bench");
  await mkdir(directory, { recursive: true });
  const measuredAt = new Date().toISOString();
  const file = join(directory, `${measuredAt.replace(/[:.]/g, "-")}-${benchmark.name}.json`);
  const report = {
    ...{ command: ["npm run bench --", ...args].join(" "), commit: (await readVersions("none")).commit },
    ...{ measured_at: measuredAt, machine: `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}` },
    ...{ benchmark: benchmark.name, summary: title, repeats, preset, figures },
    ...{ tables: bench.tables, bundles: bench.bundles },
  };
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(
    `\n${relative(process.cwd(), file)} (into pages: python -m e2e.laboratory pages FILE)\n`,
  );
  if (bench.failedRuns > 0) {
    process.stderr.write(`${bench.failedRuns} runs failed\n`);
    process.exitCode = 1;
  }
}

/** Gets ready what the benchmark takes. */
async function prepare({ places }: Benchmark, signal: AbortSignal): Promise<Mahimahi | null> {
  if (places !== undefined) return (await prepareLaboratory(places, signal)).mahimahi;
  await prepareMachine(signal);
  return null;
}

function parse(args: readonly string[]): Request | null {
  const { values, positionals } = readArguments(args);
  if (values.help) return null;
  const known = BENCHMARKS.map(({ name }) => name).join(", ");
  const benchmark = BENCHMARKS.find(({ name }) => name === positionals[0]);
  if (benchmark === undefined || positionals.length !== 1) {
    throw new OptionError(`benchmark "${positionals.join(" ")}": choose one of ${known}`);
  }
  const repeats = values.repeats === undefined ? benchmark.defaultRepeats : Number(values.repeats);
  if (!Number.isInteger(repeats) || repeats < 1) {
    throw new OptionError(`--repeats ${values.repeats}: give a whole number of at least 1`);
  }
  const presets = readRegistry().presets.map(({ name }) => name);
  const preset = values.preset ?? null;
  if (preset !== null && !presets.includes(preset)) {
    throw new OptionError(`--preset ${preset}: choose one of ${presets.join(", ")}`);
  }
  return { benchmark, repeats, preset, isFresh: values.fresh };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        repeats: { type: "string" },
        preset: { type: "string" },
        fresh: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) throw new OptionError(`${error.message.split(". ")[0]}; see --help`);
    throw error;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof OptionError || error instanceof LinkError ? 2 : 1;
}
