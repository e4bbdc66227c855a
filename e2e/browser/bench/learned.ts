import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readVersions } from "../cell/versions.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import type { BenchContext, Benchmark, Figure } from "./benchmark.ts";
import { decisionTimes } from "./learned/decision-time.ts";
import { emulatedRows, emulationFigures } from "./learned/emulation.ts";
import { benchFigure, learnedFigures } from "./learned/figures.ts";
import { writePage } from "./learned/page.ts";

const DIRECTORY = join(BUILD_DIRECTORY, "e2e", "bench", "learned");

/** Everything that the learned schemes are to achieve, on one page. */
export const learned: Benchmark = {
  name: "learned",
  summary:
    "every shipped policy beside its rivals and its paper over test traces (5 seeds), in simulation beside mahimahi, its cost",
  defaultRepeats: 3,
  places: ["simulation", "mahimahi"],
  run,
};

async function run(bench: BenchContext): Promise<Figure[]> {
  const { signal = new AbortController().signal, onProgress } = bench.control;
  const file = join(DIRECTORY, "figures.json");
  const report = await learnedFigures({ file, isFresh: bench.isFresh, signal });
  const emulated = await emulatedRows(bench, report.policies);
  const decisions = await decisionTimes(bench, report.policies);
  const versions = await readVersions("none");
  const page = join(DIRECTORY, "report.html");
  await mkdir(DIRECTORY, { recursive: true });
  const writtenAt = new Date().toISOString();
  await writeFile(
    page,
    await writePage({ report, emulated, decisions, versions, writtenAt, repeats: bench.repeats }),
  );
  bench.bundles.push(file, page);
  onProgress?.(`page: ${relative(process.cwd(), page)}`);
  return [
    ...report.parts.flatMap(({ figures }) => figures),
    ...emulated.flatMap(emulationFigures),
    ...decisions,
  ].map(benchFigure);
}
