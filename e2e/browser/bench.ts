/**
 * `npm run bench -- NAME [SUBJECT...] [--repeats N] [--seed N] [--preset NAME]`. Prints a table and leaves it, with where its runs' bundles lie, under
 * .build/e2e/bench. `npm run bench -- --schemes ...` runs a matrix (laboratory/).
 * Exit status: 0 measured (whatever the figures say), 1 a run failed or it was stopped, 2 the options make no sense.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { abortOnSignals } from "../../server/setup/interruption.ts";
import { nuwa } from "../../server/setup/nuwa.ts";
import { readRegistry } from "../../server/setup/registry.ts";
import { BenchContext, type BenchOptions, titleOf } from "./bench/benchmark.ts";
import { BENCH_OPTIONS, requireRead } from "./bench/options.ts";
import { type Benchmark, loadProgram, PROGRAMS, type Program, readsOf } from "./bench/registry.ts";
import { requireSubjects } from "./bench/subjects.ts";
import { formatTable } from "./bench/table.ts";
import { OptionError, oneOf } from "./cell/options.ts";
import { readVersions } from "./cell/versions.ts";
import { BUILD_DIRECTORY } from "./environment.ts";
import { LinkError } from "./link/trace.ts";
import { buildPlayerOf, prepareMachine } from "./prepare-machine.ts";

const HELP = `Runs a benchmark in the browser, its cells side by side, several times, and prints a table of figures.

  npm run bench -- NAME [SUBJECT...] [--repeats N] [--seed N] [--minutes N] [--preset NAME] [--beside DIR]
                           [--jobs N] [--any-commit]

  SUBJECT         what of it is measured: faults by name; without, all
  --repeats N     how often each arm is run
  --seed N        of the first repeat, where chance has a part; the next one has N + 1
  --minutes N     how long, where that is to be chosen
  --preset NAME   the receiver's preset instead of the benchmark's own
  --beside DIR    measures another clone's page and media server, too, in turn with this one's
  --jobs N        so many runs at once, where each is kept as it ends: a stopped command goes on where it was
  --any-commit    counts runs that another commit made, too
  --help          this text

What a benchmark does not read is refused, and the answer says what it reads.
`;

interface Request {
  benchmark: Benchmark;
  program: Program;
  options: Omit<BenchOptions, "control">;
}

/** Benchmarks without a browser, and matrices, are Python's: it knows all names, and says what there is. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (PROGRAMS.some(({ name }) => name === args[0])) await runBenchmark(args);
  else process.exitCode = await nuwa(["bench", ...args], abortOnSignals());
}

async function runBenchmark(args: readonly string[]): Promise<void> {
  const request = await parse(args);
  if (request === null) {
    process.stdout.write(HELP);
    return;
  }
  const { benchmark, program, options } = request;
  const { repeats, preset, seed, beside } = options;
  const signal = abortOnSignals();
  await prepareMachine(signal);
  if (beside !== null) await buildPlayerOf(beside, signal);
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const bench = new BenchContext({ ...options, control: { signal, onProgress } });
  const figures = await program.run(bench);
  const title = titleOf(benchmark, preset);
  const tables = [...bench.tables, formatTable(figures)];
  process.stdout.write(`\n${title}\n\n${tables.join("\n")}`);

  const directory = join(BUILD_DIRECTORY, "e2e", "bench");
  await mkdir(directory, { recursive: true });
  const measuredAt = new Date().toISOString();
  const file = join(directory, `${measuredAt.replace(/[:.]/g, "-")}-${benchmark.name}.json`);
  const { commit, hasLocalChanges } = await readVersions("none");
  const report = {
    ...{ command: ["npm run bench --", ...args].join(" "), commit, has_local_changes: hasLocalChanges },
    ...{ measured_at: measuredAt, machine: `${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}` },
    ...{ benchmark: benchmark.name, summary: title, repeats, preset, seed, beside, figures },
    tables: bench.tables,
    bundles: bench.bundles,
  };
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`\n${relative(process.cwd(), file)} (into pages: npm run bench -- pages FILE)\n`);
  signal.throwIfAborted();
}

async function parse(args: readonly string[]): Promise<Request | null> {
  const { values, positionals } = readArguments(args);
  if (values.help) return null;
  const known = PROGRAMS.map(({ name }) => name).join(", ");
  const [chosen, ...subjects] = positionals;
  const benchmark = PROGRAMS.find(({ name }) => name === chosen);
  if (benchmark === undefined) {
    throw new OptionError(`benchmark "${positionals.join(" ")}": choose one of ${known}`);
  }
  const program = await loadProgram(benchmark);
  requireSubjects(benchmark.name, subjects, program.SUBJECTS ?? []);
  requireRead(benchmark.name, values, readsOf(program));
  const repeats = values.repeats === undefined ? benchmark.repeats : Number(values.repeats);
  if (!Number.isInteger(repeats) || repeats < 1) {
    throw new OptionError(`--repeats ${values.repeats}: give a whole number of at least 1`);
  }
  const seed = Number(values.seed ?? 1);
  if (!Number.isInteger(seed)) throw new OptionError(`--seed ${values.seed}: give a whole number`);
  const minutes = values.minutes === undefined ? null : Number(values.minutes);
  if (minutes !== null && !(minutes > 0))
    throw new OptionError(`--minutes ${values.minutes}: give a number above 0`);
  const presets = (await readRegistry()).presets.map(({ name }) => name);
  const preset = values.preset === undefined ? null : oneOf("preset", values.preset, presets);
  const beside = values.beside === undefined ? null : resolve(values.beside);
  if (beside !== null && !existsSync(join(beside, "player", "vite.config.ts"))) {
    throw new OptionError(`--beside ${values.beside}: give the directory of a clone of nuwa-stream`);
  }
  const jobs = Number(values.jobs ?? 1);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new OptionError(`--jobs ${values.jobs}: give a whole number of at least 1`);
  const isAnyCommit = values["any-commit"] ?? false;
  const options = { repeats, preset, seed, minutes, subjects, beside, jobs, isAnyCommit };
  return { benchmark, program, options };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...BENCH_OPTIONS, help: { type: "boolean", default: false } },
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
