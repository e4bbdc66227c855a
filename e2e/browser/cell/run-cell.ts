import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Presentation } from "../../../media/package-film.ts";
import { withValues } from "../../../player/src/page/query/parameters.ts";
import { POLICIES } from "../../../server/setup/paths.ts";
import { readRegistry } from "../../../server/setup/registry.ts";
import type { BrowserProgram } from "../browsers/program.ts";
import { BUILD_DIRECTORY, readEnvironment } from "../environment.ts";
import { parseLinkLog } from "../link/log.ts";
import { type LinkRelay, openLinkRelay } from "../link/relay.ts";
import { type LinkShell, openLinkShell } from "../link/shell.ts";
import { findTraces, type TracePair } from "../link/trace.ts";
import type { FilmWork, Job, JobResult } from "../page-process/job.ts";
import { type BrowserTimes, BrowserTimesSampler } from "../process/browser-times.ts";
import type { Mahimahi } from "../setup/shell-command.ts";
import { type Bundle, makeBundleDirectory, writeBundle } from "./bundle.ts";
import { decisionsByScheme, type SchemeDecisions, serverReports } from "./decisions.ts";
import { MediaServer } from "./media-server.ts";
import { PageRun } from "./page-run.ts";
import type { CellParameters, Workload } from "./parameters.ts";
import { presentationOf } from "./presentation.ts";

/** A run that could not be made, or whose page reported errors; the message is for a person. */
export class CellError extends Error {}

export interface Cell {
  directory: string;
  bundle: Bundle;
}

export interface CellControl {
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
}

const START_LIMIT_SECONDS = 60;
/** A download may take this long at most: a second for each so many bits, and a minute more. */
const SLOWEST_BITS_PER_SECOND = 500_000;

/** Runs one cell and writes its bundle; stops all that it started whatever happens. */
export async function runCell(parameters: CellParameters, control: CellControl = {}): Promise<Cell> {
  const { onProgress = () => undefined, signal } = control;
  const { browsers, mahimahi, mahimahiReason } = await readEnvironment();
  const found = browsers[parameters.browser];
  if (found.path === null) throw new CellError(found.reason);
  const program = { kind: parameters.browser, path: found.path };
  const { link } = parameters;
  if (link !== null && link.via !== "relay" && mahimahi === null) throw new CellError(mahimahiReason);
  const traces = link && (await findTraces(link.trace, mahimahi?.traces ?? null));
  const presentation = await filmOf(parameters.workload, onProgress);
  signal?.throwIfAborted();

  const startedAtMs = Date.now();
  const directory = await makeBundleDirectory(parameters, startedAtMs);
  const scratch = await mkdtemp(join(tmpdir(), "nuwa-cell-"));
  try {
    const served = presentation?.directory ?? scratch;
    const job = await makeJob({ parameters, presentation, program, directory, scratch });
    onProgress(`running ${parameters.name}`);
    const ran = await runJob({ parameters, job, served, mahimahi, traces, signal });
    const result = JSON.parse(await readFile(job.resultFile, "utf8")) as JobResult;
    const log = ran.linkLog === null ? null : parseLinkLog(ran.linkLog);
    const { linkLog, decisions, serverCpuSeconds, browserTimes } = ran;
    const measured = { result, log, serverCpuSeconds, browserTimes };
    const run = { parameters, startedAtMs, result, traces, linkLog, decisions, presentation, measured };
    const bundle = await writeBundle(directory, run);
    if (result.problems.length > 0) {
      throw new CellError(`the page reported errors (bundle ${directory}):\n${result.problems.join("\n")}`);
    }
    return { directory, bundle };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function filmOf(workload: Workload, onProgress: (line: string) => void): Promise<Presentation | null> {
  return workload.kind === "film" ? presentationOf(workload.source, onProgress) : null;
}

interface RunJobOptions {
  parameters: CellParameters;
  job: Job;
  /** Directory that the media server serves. */
  served: string;
  mahimahi: Mahimahi | null;
  traces: TracePair | null;
  signal: AbortSignal | undefined;
}

interface RanJob extends WorkTimes {
  linkLog: string | null;
  decisions: readonly SchemeDecisions[];
}

/** What was used for the work. */
interface WorkTimes {
  /** CPU seconds of the media server. */
  serverCpuSeconds: number | null;
  /** Empty where nobody asked for them. */
  browserTimes: readonly BrowserTimes[];
}

/** What is started is stopped in reverse order, however this ends. */
async function runJob(options: RunJobOptions): Promise<RanJob> {
  const { job, served, mahimahi, signal } = options;
  const { mediaServer, openAtLinkSeconds, clone, readsBrowserTimes } = options.parameters;
  const link = emulatedLink(options);
  await using shell = link && link.via !== "relay" && mahimahi ? await openLinkShell(mahimahi, link) : null;
  await using relay = link?.via === "relay" ? await openLinkRelay(link) : null;
  signal?.throwIfAborted();
  const openAtMs = openAtLinkSeconds === null ? null : Date.now() + openAtLinkSeconds * 1000;
  await using page = await PageRun.start({ ...job, openAtMs }, shell);
  const host = shell === null ? "127.0.0.1" : "0.0.0.0";
  const { origin } = page;
  await using server = await MediaServer.start({
    ...{ command: mediaServer, clone, directory: served, host, origin },
  });
  await relay?.connect(server.port);
  const stopPage = () => void page.stop();
  signal?.addEventListener("abort", stopPage, { once: true });
  try {
    signal?.throwIfAborted();
    const processes = { page, server, shell, relay };
    const times = await drive(processes, { limitSeconds: workLimitSeconds(job), readsBrowserTimes });
    await page.stop();
    const decisions = decisionsByScheme(serverReports(await server.finish()));
    return { ...times, decisions, linkLog: (await (shell ?? relay)?.close()) ?? null };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stopPage);
  }
}

function emulatedLink({ parameters: { link }, traces }: RunJobOptions) {
  return link && traces && { ...link, traces };
}

interface Processes {
  page: PageRun;
  server: MediaServer;
  shell: LinkShell | null;
  relay: LinkRelay | null;
}

async function drive(
  { page, server, shell, relay }: Processes,
  { limitSeconds, readsBrowserTimes }: { limitSeconds: number; readsBrowserTimes: boolean },
): Promise<WorkTimes> {
  const address = server.addressAt(shell?.outsideAddress ?? "127.0.0.1");
  const sampler = new BrowserTimesSampler();
  const onBrowser = readsBrowserTimes ? (pid: number) => sampler.start(pid) : undefined;
  const before = await server.cpuSeconds();
  try {
    await page.work(relay === null ? address : { ...address, port: relay.port }, limitSeconds, onBrowser);
  } catch (error) {
    const { hasEnded, lastWords } = server.state;
    if (lastWords === "" && !hasEnded) throw error;
    const said = `The media server ${hasEnded ? "had ended and " : ""}said: ${lastWords}`;
    throw new CellError(`${error instanceof Error ? error.message : String(error)}\n${said}`, {
      cause: error,
    });
  } finally {
    await sampler.stop();
  }
  const after = await server.cpuSeconds();
  return {
    serverCpuSeconds: before === null || after === null ? null : after - before,
    browserTimes: await sampler.stop(),
  };
}

interface JobOptions {
  parameters: CellParameters;
  presentation: Presentation | null;
  program: BrowserProgram;
  directory: string;
  scratch: string;
}

async function makeJob({ parameters, presentation, program, directory, scratch }: JobOptions): Promise<Job> {
  const registry = await readRegistry();
  return {
    program,
    app: {
      playerDirectory: builtPlayer(parameters.clone),
      policyDirectory: POLICIES,
      presentation: presentation ?? { directory: scratch, title: "none", durationSeconds: 0 },
      registry,
      defaults: { ...registry.defaults, rule: parameters.rule },
    },
    page: pageAddress(parameters),
    openAtMs: null,
    work: workOf(parameters.workload),
    resultFile: join(scratch, "result.json"),
    screenshotFile: join(directory, "screenshot.png"),
  };
}

function builtPlayer(clone: string | null): string {
  return clone === null ? join(BUILD_DIRECTORY, "player") : join(clone, ".build", "player");
}

function workOf(workload: Workload): Job["work"] {
  if (workload.kind === "bulk") {
    return { kind: "bulk", limitSeconds: 60 + (workload.bytes * 8) / SLOWEST_BITS_PER_SECOND };
  }
  const { watchSeconds, stopsAtEnd = false, seeks } = workload;
  const work: FilmWork = {
    ...{ kind: "film", watchSeconds, stopsAtEnd, seeks, startLimitSeconds: START_LIMIT_SECONDS },
  };
  return work;
}

/** The page's path with the cell's choices as its query. */
export function pageAddress(parameters: CellParameters): string {
  const { scheme, preset, rule, estimator, k, targetDelayMs, workload } = parameters;
  const query = withValues(new URLSearchParams(), { scheme, preset, k, target_delay_ms: targetDelayMs });
  if (workload.kind === "bulk") {
    query.set("bytes", String(workload.bytes));
    return `/bulk.html?${query}`;
  }
  // Nothing but the film on the link: what a cell measures is read from the page itself.
  return `/?${withValues(query, { rule, estimator, autoplay: 1, muted: 1, telemetry: 0 })}`;
}

function workLimitSeconds({ work }: Job): number {
  const MARGIN_SECONDS = 60; // browser start, collecting, picture
  return (
    MARGIN_SECONDS + (work.kind === "bulk" ? work.limitSeconds : work.watchSeconds + work.startLimitSeconds)
  );
}
