/** One run over an emulated link, in real time: a media server, a link, and a headless receiver for each flow. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverReports } from "../browser/cell/decisions.ts";
import { MediaServer } from "../browser/cell/media-server.ts";
import { OUR_MEDIA_SERVER } from "../browser/cell/parameters.ts";
import { parseLinkLog } from "../browser/link/log.ts";
import { type LinkRelay, openLinkRelay } from "../browser/link/relay.ts";
import { type LinkParameters, type LinkShell, openLinkShell } from "../browser/link/shell.ts";
import type { Mahimahi } from "../browser/setup/shell-command.ts";
import { requireDecisions } from "./decisions.ts";
import { Detour } from "./detour.ts";
import { emulatedResult } from "./emulated-result.ts";
import type { LoadedLink } from "./matrix.ts";
import type { FlowPlan, RunPlan } from "./plan.ts";
import { Receiver, type ReceiverReport } from "./receiver.ts";
import { RunError, type RunResult } from "./result.ts";
import { cutWindow, formatOpportunities } from "./trace-window.ts";

/** The link's time before the run's begins: enough for the server and the first receivers to start. */
const LEAD_MS = 4_000;
/** A receiver's before its flow begins: Python starts, the session opens. */
const RECEIVER_LEAD_MS = 2_500;
/** A flow may begin so much later than planned. */
const LATEST_MS = 300;
/** The link goes on so long after the run. */
const TAIL_MS = 5_000;
const ORIGIN = "http://localhost:8080";

export interface EmulationOptions {
  plan: RunPlan;
  link: LoadedLink;
  /** Needed on mahimahi. */
  mahimahi: Mahimahi | null;
  /** The server's, where one is wanted. */
  qlogDirectory: string | null;
  /** The schemes that ask a policy. */
  learned: ReadonlySet<string>;
  signal: AbortSignal;
}

/** Where a flow's data comes from, and how to get there. */
interface Path {
  server: MediaServer;
  shell: LinkShell | null;
  /** As receivers reach the server. */
  host: string;
  port: number;
  /** The run's beginning, ms since the Unix epoch. */
  zeroMs: number;
  signal: AbortSignal;
}

/** What is started is stopped in reverse order, however this ends. */
export async function runEmulated(options: EmulationOptions): Promise<RunResult> {
  const { plan, mahimahi, signal, qlogDirectory, learned } = options;
  const parameters = linkParameters(options);
  const empty = await mkdtemp(join(tmpdir(), "nuwa-laboratory-"));
  try {
    signal.throwIfAborted();
    await using shell = plan.place === "mahimahi" ? await openShell(mahimahi, parameters) : null;
    await using relay = plan.place === "relay" ? await openLinkRelay(parameters) : null;
    const link = (shell ?? relay) as LinkShell | LinkRelay;
    await using server = await startServer({ directory: empty, shell, qlogDirectory, seed: plan.seed });
    await relay?.connect(server.port);
    const path: Path = {
      ...{ server, shell, signal, zeroMs: link.startedAtMs + LEAD_MS },
      host: shell?.outsideAddress ?? "127.0.0.1",
      port: relay?.port ?? server.port,
    };
    if (Date.now() > path.zeroMs) {
      throw failure("the server took too long to start; is the machine busy?", { leadMs: LEAD_MS });
    }
    const { reports, serverCpuShare } = await runFlows(plan, path);
    const serverPolicies = serverReports(await server.finish());
    const log = parseLinkLog(await link.close());
    const result = emulatedResult({
      ...{ plan, reports, serverCpuShare, serverPolicies, log, zeroMs: path.zeroMs },
    });
    requireDecisions(result.decisions, plan, learned);
    return result;
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

/** The traces are cut out for the run, behind a lead in which it is set up. */
function linkParameters({ plan, link }: EmulationOptions): LinkParameters {
  const { startMs, delayMs, queuePackets, discipline, lossRatio } = plan.link;
  const lengthMs = Math.ceil(plan.durationSeconds * 1000) + LEAD_MS + TAIL_MS;
  const cut = (opportunitiesMs: readonly number[]) =>
    formatOpportunities(cutWindow(opportunitiesMs, { fromMs: startMs - LEAD_MS, lengthMs }));
  const { traces } = link;
  const downlink = cut(link.opportunitiesMs);
  const uplink = cut(link.returnOpportunitiesMs);
  return {
    traces: { ...traces, downlink, uplink },
    ...{ delayMs, queuePackets, discipline, lossRatio },
    seed: plan.seed,
  };
}

async function openShell(mahimahi: Mahimahi | null, parameters: LinkParameters): Promise<LinkShell> {
  if (mahimahi === null) throw failure("mahimahi is not there", {});
  return openLinkShell(mahimahi, parameters);
}

interface ServerSettings {
  directory: string;
  shell: LinkShell | null;
  qlogDirectory: string | null;
  seed: number;
}

function startServer({ directory, shell, qlogDirectory, seed }: ServerSettings): Promise<MediaServer> {
  const qlog = qlogDirectory === null ? [] : ["--qlog-dir", qlogDirectory];
  const command = [...OUR_MEDIA_SERVER, "--seed", String(seed), ...qlog];
  return MediaServer.start({ command, directory, host: shell ? "0.0.0.0" : "127.0.0.1", origin: ORIGIN });
}

/** The first flow that fails stops the others; nothing of them is left when this is over. */
async function runFlows(plan: RunPlan, path: Path) {
  const failing = new AbortController();
  const own = { ...path, signal: AbortSignal.any([path.signal, failing.signal]) };
  const cpu = cpuShare(own, plan.durationSeconds);
  const flows = plan.arm.flows.map((flow) => runFlow(flow, plan, own));
  for (const task of [cpu, ...flows]) {
    task.catch((error: unknown) => {
      failing.abort(error);
    });
  }
  await Promise.allSettled([cpu, ...flows]);
  path.signal.throwIfAborted();
  failing.signal.throwIfAborted();
  return { reports: await Promise.all(flows), serverCpuShare: await cpu };
}

async function cpuShare({ server, zeroMs, signal }: Path, seconds: number): Promise<number | null> {
  await waitUntil(zeroMs, signal);
  const before = await server.cpuSeconds();
  await waitUntil(zeroMs + seconds * 1000, signal);
  const after = await server.cpuSeconds();
  return before === null || after === null ? null : (after - before) / seconds;
}

async function runFlow(flow: FlowPlan, plan: RunPlan, path: Path): Promise<ReceiverReport> {
  const { shell, server, signal } = path;
  const place = (command: string, args: readonly string[]) =>
    shell === null ? { command, args: [...args] } : shell.inside(command, args);
  const beginAtMs = path.zeroMs + flow.startSeconds * 1000;
  await waitUntil(beginAtMs - RECEIVER_LEAD_MS, signal);
  await using detour =
    flow.extraRttMs > 0 ? await Detour.open({ ...path, place, extraRttMs: flow.extraRttMs }) : null;
  const { host, port } = detour ?? path;
  const seconds = (flow.stopSeconds ?? plan.durationSeconds) - flow.startSeconds;
  await using receiver = await Receiver.start({
    flow,
    host,
    port,
    origin: ORIGIN,
    beginAtMs,
    seconds,
    place,
  });
  const stop = () => {
    receiver.stop();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    return inTime(await receiver.report(), flow, beginAtMs);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RunError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new RunError(
      { scheme: flow.scheme, message, state: { server: server.state, flow } },
      { cause: error },
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A flow that began late met another stretch of the link than it should have. */
function inTime(report: ReceiverReport, { scheme }: FlowPlan, beginAtMs: number): ReceiverReport {
  const lateMs = report.began_at_s * 1000 - beginAtMs;
  if (lateMs <= LATEST_MS) return report;
  const message = `its receiver began ${(lateMs / 1000).toFixed(1)} s late; is the machine busy?`;
  throw new RunError({ scheme, message, state: { lateMs } });
}

async function waitUntil(timeMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, timeMs - Date.now()), undefined, { signal });
}

function failure(message: string, state: Record<string, unknown>): RunError {
  return new RunError({ scheme: null, message, state });
}
