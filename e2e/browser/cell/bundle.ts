import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Presentation } from "../../../media/package-film.ts";
import { BUILD_DIRECTORY } from "../environment.ts";
import type { TracePair } from "../link/trace.ts";
import type { JobResult } from "../page-process/job.ts";
import { playedSegments } from "../playback.ts";
import type { SchemeDecisions } from "./decisions.ts";
import { type CellMetrics, measureCell } from "./metrics.ts";
import type { CellParameters } from "./parameters.ts";
import { summarise } from "./summary.ts";
import { readVersions, type Versions } from "./versions.ts";

/** What bundle.json holds: how the run was made, and its figures. */
export interface Bundle {
  command: readonly string[];
  startedAt: string;
  versions: Versions;
  parameters: CellParameters;
  /** The traces as mahimahi got them; null without a link. */
  traces: { name: string; downlinkSha256: string; uplinkSha256: string } | null;
  film: Pick<Presentation, "title" | "durationSeconds" | "representations"> | null;
  metrics: CellMetrics;
  /** Of a learned scheme of the server's; a receiver's are in the page's snapshot. */
  decisions: readonly SchemeDecisions[];
  /** Whatever the page reported as an error; the run failed if there is any. */
  problems: readonly string[];
}

export interface FinishedRun {
  parameters: CellParameters;
  startedAtMs: number;
  result: JobResult;
  traces: TracePair | null;
  linkLog: string | null;
  decisions: readonly SchemeDecisions[];
  presentation: Presentation | null;
  measured: Parameters<typeof measureCell>[0];
}

/** Makes the bundle's directory, a new one unless the run names one. */
export async function makeBundleDirectory(parameters: CellParameters, startedAtMs: number): Promise<string> {
  const time = new Date(startedAtMs).toISOString().replace(/[:.]/g, "-");
  const directory = parameters.outputDirectory ?? join(BUILD_DIRECTORY, "e2e", `${time}-${parameters.name}`);
  await mkdir(directory, { recursive: true });
  return directory;
}

/** Writes everything that a run left, beside the picture that is there already. */
export async function writeBundle(directory: string, run: FinishedRun): Promise<Bundle> {
  const { parameters, result, traces, presentation } = run;
  const bundle: Bundle = {
    command: [...process.argv],
    startedAt: new Date(run.startedAtMs).toISOString(),
    versions: await readVersions(result.browserVersion),
    parameters,
    traces: traces && pick(traces, ["name", "downlinkSha256", "uplinkSha256"]),
    film: presentation && pick(presentation, ["title", "durationSeconds", "representations"]),
    metrics: measureCell(run.measured),
    decisions: run.decisions,
    problems: result.problems,
  };
  const write = (name: string, content: string | Uint8Array) => writeFile(join(directory, name), content);
  await write("bundle.json", `${JSON.stringify(bundle, null, 2)}\n`);
  await write("summary.md", summarise(bundle));
  await write("stamps.csv", toCsv(result.page.records.stamps));
  if (run.linkLog !== null) await write("link.log.gz", gzipSync(run.linkLog));
  if (result.page.kind === "film") {
    const { records, playback, snapshot } = result.page;
    await write("estimates.csv", toCsv(records.estimates));
    const played = new Set(playedSegments(playback, records.segments));
    const segments = records.segments.map((segment) => ({ ...segment, isShown: played.has(segment) }));
    await write("segments.csv", toCsv(segments));
    await write("playback.csv", toCsv(playback.samples));
    await write("switches.json", `${JSON.stringify(records.switches, null, 2)}\n`);
    const stalls = { probe: bundle.metrics.playback?.stalls ?? [], player: records.stalls };
    await write("stalls.json", `${JSON.stringify(stalls, null, 2)}\n`);
    await write("snapshot.json", `${JSON.stringify(snapshot, null, 2)}\n`);
    const { playback: summary, segmentMegabitsPerSecond, qoe } = bundle.metrics;
    await write("qoe.json", `${JSON.stringify({ ...summary, segmentMegabitsPerSecond, qoe }, null, 2)}\n`);
  }
  return bundle;
}

/** Comma-separated values with the first record's names as header; null is an empty field. */
export function toCsv(records: readonly object[]): string {
  const [first] = records;
  if (first === undefined) return "";
  const names = Object.keys(first);
  const rows = records.map((record) => names.map((name) => field(Reflect.get(record, name))).join(","));
  return `${[names.join(","), ...rows].join("\n")}\n`;
}

function field(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function pick<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
