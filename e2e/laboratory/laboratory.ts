/** `npm run bench -- --schemes ...`: runs what is not there yet, then writes the rows and the report of all of it. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { BUILD_DIRECTORY } from "../browser/environment.ts";
import { findTraces } from "../browser/link/trace.ts";
import { describeBundle, writeBundle } from "./bundle.ts";
import { markArms } from "./decisions.ts";
import type { FinishedRun } from "./finished-run.ts";
import { prepareLaboratory } from "./machine.ts";
import { baselineOf, type Condition, expandMatrix, type LoadedLink, loadedLink } from "./matrix.ts";
import type { LinkChoice, MatrixRequest } from "./options.ts";
import { outcomeTables } from "./outcome-table.ts";
import { writeParquet } from "./parquet.ts";
import { canonicalJson, type Place } from "./plan.ts";
import { writeReport } from "./report/page.ts";
import { type KeyedRun, keyedRuns, runAll } from "./run-all.ts";
import { sourcesOf } from "./sources.ts";
import { type RunRecord, RunStore } from "./store.ts";
import { flowTable, intervalTable, runTable } from "./tables.ts";

export interface LaboratoryOptions {
  request: MatrixRequest;
  signal: AbortSignal;
  output: NodeJS.WriteStream;
}

export interface LaboratoryOutcome {
  directory: string;
  report: string;
  /** The means, for a terminal. */
  tables: string;
  finished: number;
  failed: number;
}

/** @throws OptionError, LinkError or Problem where the matrix cannot be run at all */
export async function runLaboratory({
  request,
  signal,
  output,
}: LaboratoryOptions): Promise<LaboratoryOutcome> {
  const machine = await prepareLaboratory(request.places, signal);
  const links = await loadLinks(request.links, machine.mahimahi?.traces ?? null);
  const conditions = expandMatrix(request, links);
  for (const { arms } of conditions) baselineOf(request, arms);
  const sources = fingerprints(conditions, machine.mahimahi?.version ?? "");
  const runs = keyedRuns(conditions, (place) => sources[place] as string);

  const directory =
    request.outputDirectory ?? join(BUILD_DIRECTORY, "e2e", "laboratory", directoryName(request));
  await mkdir(directory, { recursive: true });
  output.write(`${runs.length} runs, in ${relative(process.cwd(), directory)}\n`);
  const store = await RunStore.open(directory);
  const qlogDirectory = request.qlog ? join(directory, "qlog") : null;
  const { jobs } = request;
  await runAll({ runs, store, jobs, mahimahi: machine.mahimahi, qlogDirectory, signal, output });

  const finished = await readRecords(runs, store);
  const bundle = await describeBundle({ request, links, runs: finished, sources });
  const about = {
    command: bundle.command.join(" "),
    commit: bundle.versions.commit,
    written_at: bundle.writtenAt,
  };
  await writeParquet(directory, [runTable(finished), flowTable(finished), intervalTable(finished)], about);
  await writeBundle(directory, bundle);
  const report = join(directory, "report.html");
  const marked = markArms(
    { request, conditions },
    finished.map(({ record }) => record),
  );
  await writeFile(
    report,
    await writeReport({
      ...{ bundle: { ...bundle, request: marked.request }, conditions: marked.conditions, runs: finished },
    }),
  );
  return { directory, report, tables: outcomeTables(marked, finished), ...bundle.runs };
}

async function loadLinks(choices: readonly LinkChoice[], traces: string | null): Promise<LoadedLink[]> {
  const links: LoadedLink[] = [];
  for (const choice of choices) links.push(loadedLink(choice, await findTraces(choice.trace, traces)));
  return links;
}

function fingerprints(conditions: readonly Condition[], mahimahi: string): Partial<Record<Place, string>> {
  const places = new Set<Place>(["simulation", ...conditions.map(({ place }) => place)]);
  return Object.fromEntries(
    [...places].map((place) => [place, sourcesOf(place, place === "mahimahi" ? [mahimahi] : [])]),
  );
}

/** The same arguments give the same name. More seeds or jobs, another baseline or a qlog go on in the same directory. */
export function directoryName({
  seeds: _,
  baseline: __,
  qlog: ___,
  jobs: ____,
  ...request
}: MatrixRequest): string {
  const schemes =
    request.schemes.length === 0 ? request.flowsText : request.schemes.map(({ scheme }) => scheme).join("+");
  const links = request.links.map(({ trace }) => trace.split(/[\\/]/).at(-1)).join("+");
  const words = [request.places.join("+"), schemes, links].join("-").replace(/[^\w.+-]+/g, "_");
  const hash = createHash("sha256").update(canonicalJson(request)).digest("hex");
  return `${words.slice(0, 80)}-${hash.slice(0, 8)}`;
}

async function readRecords(runs: readonly KeyedRun[], store: RunStore): Promise<FinishedRun[]> {
  const finished: FinishedRun[] = [];
  for (const { key, plan } of runs) {
    const record = (await store.read(key)) as RunRecord;
    // the arm's name may have changed since the run was made
    finished.push({ key, record: { ...record, plan } });
  }
  return finished;
}
