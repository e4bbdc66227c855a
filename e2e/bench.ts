/**
 * `npm run bench -- NAME [--repeats N] [--preset NAME]`. Prints a table and leaves it, with where its runs' bundles lie, under
 * .build/e2e/bench. Exit status: 0 measured (whatever the figures say), 1 a run failed, 2 the options make no sense.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { readRegistry } from "../server/setup/registry.mjs";
import { BenchContext, type Benchmark } from "./bench/benchmark.ts";
import { BENCHMARKS } from "./bench/registry.ts";
import { formatTable } from "./bench/table.ts";
import { OptionError } from "./cell/options.ts";
import { BUILD_DIRECTORY, ROOT } from "./environment.ts";
import { prepareMachine } from "./prepare-machine.ts";
import { abortOnSignals } from "./process/abort-on-signals.ts";

const HELP = `Runs a benchmark: its cells side by side, several times, and a table of figures.

  npm run bench -- NAME [--repeats N] [--preset NAME]

${BENCHMARKS.map(({ name, summary, defaultRepeats }) => `  ${name.padEnd(10)} ${summary} (${defaultRepeats} times)`).join("\n")}

  --repeats N     how often each arm is run
  --preset NAME   Nuwa's preset instead of the benchmark's own
  --help          this text
`;

interface Request {
  benchmark: Benchmark;
  repeats: number;
  preset: string | null;
}

async function main(): Promise<void> {
  const request = parse(process.argv.slice(2));
  if (request === null) {
    process.stdout.write(HELP);
    return;
  }
  const { benchmark, repeats, preset } = request;
  const signal = abortOnSignals();
  await prepareMachine(signal);
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const bench = new BenchContext({ repeats, preset, control: { signal, onProgress } });
  const figures = await benchmark.run(bench);
  process.stdout.write(`\n${benchmark.summary}\n\n${formatTable(figures)}`);

  const directory = join(BUILD_DIRECTORY, "e2e", "bench");
  await mkdir(directory, { recursive: true });
  const at = new Date().toISOString();
  const file = join(directory, `${at.replace(/[:.]/g, "-")}-${benchmark.name}.json`);
  const report = { benchmark: benchmark.name, summary: benchmark.summary, at, repeats, preset, figures };
  await writeFile(file, `${JSON.stringify({ ...report, bundles: bench.bundles }, null, 2)}\n`);
  process.stdout.write(`\n${relative(process.cwd(), file)}\n`);
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
  const presets = readRegistry(ROOT, process.env).presets.map(({ name }) => name);
  const preset = values.preset ?? null;
  if (preset !== null && !presets.includes(preset)) {
    throw new OptionError(`--preset ${preset}: choose one of ${presets.join(", ")}`);
  }
  return { benchmark, repeats, preset };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        repeats: { type: "string" },
        preset: { type: "string" },
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
  process.exitCode = error instanceof OptionError ? 2 : 1;
}
