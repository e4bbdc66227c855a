import { decisionsByScheme, type PolicyReport } from "../browser/cell/decisions.ts";
import type { LinkLog } from "../browser/link/log.ts";
import { measureLink, rateInBins, type TimeWindow } from "../browser/link/metrics.ts";
import { OVERHEAD_BYTES } from "../browser/link/trace.ts";
import { quantile } from "../browser/statistics.ts";
import { type FlowPlan, INTERVAL_SECONDS, type RunPlan } from "./plan.ts";
import type { ReceiverReport } from "./receiver.ts";
import type { DelaySummary, FlowIntervals, FlowResult, LinkResult, RunResult } from "./result.ts";

export interface EmulatedRun {
  plan: RunPlan;
  /** One for each flow, in order. */
  reports: readonly ReceiverReport[];
  log: LinkLog;
  /** The run's beginning, ms since the Unix epoch. */
  zeroMs: number;
  serverCpuShare: number | null;
  /** Of the server, one for each session whose sender asked a policy. */
  serverPolicies: readonly PolicyReport[];
}

const INTERVAL_MS = INTERVAL_SECONDS * 1000;

/**
 * What the link's log and the receivers' records say of a run. A single flow's queueing delays are those of the log, and its losses
 * the queue's drops, where nothing else loses packets; of several flows, which the log does not tell apart, each has what its
 * receiver measured. The link's own delays are the log's of all of them.
 */
export function emulatedResult(run: EmulatedRun): RunResult {
  const { plan, reports, log, zeroMs, serverCpuShare, serverPolicies } = run;
  const { flows } = plan.arm;
  const window = { fromMs: zeroMs, toMs: zeroMs + plan.durationSeconds * 1000 };
  const count = Math.floor(plan.durationSeconds / INTERVAL_SECONDS + 1e-6);
  const delays = loggedDelays(log, window);
  const logged = flows.length === 1 ? delays : null;
  const link = { ...measuredRates(log, window), queueingDelay: delays.whole };
  const isDropsAlone = flows.length === 1 && plan.link.lossRatio === 0;
  return {
    flows: flows.map((flow, index) => {
      const own = flowResult(flow, reports[index] as ReceiverReport, logged?.whole ?? null);
      return isDropsAlone ? { ...own, packetsLost: link.dropped } : own;
    }),
    link,
    intervals: {
      timeSeconds: Array.from({ length: count }, (_, index) => Math.round(index * INTERVAL_MS) / 1000),
      capacityBitsPerSecond: rateInBins(log.opportunities, window, INTERVAL_MS),
      flows: flows.map((flow, index) => {
        const own = flowIntervals(flow, reports[index] as ReceiverReport, count);
        return logged === null ? own : { ...own, ...logged.intervals };
      }),
    },
    serverCpuShare,
    decisions: decisionsByScheme([
      ...reports.flatMap(({ policy }) => (policy === null ? [] : [policy])),
      ...serverPolicies,
    ]),
  };
}

function measuredRates(log: LinkLog, window: TimeWindow): Omit<LinkResult, "queueingDelay"> {
  const { capacityBitsPerSecond, throughputBitsPerSecond, droppedPackets } = measureLink(log, window);
  return { capacityBitsPerSecond, throughputBitsPerSecond, dropped: droppedPackets, lost: null };
}

function loggedDelays(log: LinkLog, window: TimeWindow) {
  const departures = log.departures.filter(({ atMs }) => atMs >= window.fromMs && atMs < window.toMs);
  const bins: number[][] = Array.from(
    { length: Math.floor((window.toMs - window.fromMs) / INTERVAL_MS) },
    () => [],
  );
  for (const { atMs, queueingDelayMs } of departures) {
    bins[Math.floor((atMs - window.fromMs) / INTERVAL_MS)]?.push(queueingDelayMs);
  }
  const summaries = bins.map(summarise);
  return {
    whole: summarise(departures.map(({ queueingDelayMs }) => queueingDelayMs)),
    intervals: {
      queueingDelayMeanMs: summaries.map((summary) => summary?.meanMs ?? null),
      queueingDelayP95Ms: summaries.map((summary) => summary?.p95Ms ?? null),
    },
  };
}

function summarise(delaysMs: readonly number[]): DelaySummary | null {
  if (delaysMs.length === 0) return null;
  return {
    meanMs: delaysMs.reduce((sum, delay) => sum + delay, 0) / delaysMs.length,
    p50Ms: quantile(delaysMs, 0.5) as number,
    p95Ms: quantile(delaysMs, 0.95) as number,
    maxMs: delaysMs.reduce((most, delay) => Math.max(most, delay)),
  };
}

function flowResult(flow: FlowPlan, report: ReceiverReport, logged: DelaySummary | null): FlowResult {
  const { packets_sent: sent, loss_ratio: lossRatio, rtt_mean_s: rtt, intervals } = report;
  const wireBytes = wireBytesOf(report).reduce((sum, bytes) => sum + bytes, 0);
  return {
    scheme: flow.scheme,
    goodputBitsPerSecond: (8 * report.received_bytes) / report.seconds,
    throughputBitsPerSecond: (8 * wireBytes) / (intervals.payload_bytes.length * INTERVAL_SECONDS),
    queueingDelay: logged ?? measuredDelay(report),
    packetsSent: sent,
    packetsLost: sent === null || lossRatio === null ? null : Math.round(sent * lossRatio),
    spuriousLosses: null,
    rttMeanMs: milliseconds(rtt),
  };
}

function measuredDelay(report: ReceiverReport): DelaySummary | null {
  const { queueing_delay_mean_s: mean, queueing_delay_p50_s: p50 } = report;
  const { queueing_delay_p95_s: p95, queueing_delay_max_s: max } = report;
  if (mean === null || p50 === null || p95 === null || max === null) return null;
  return { meanMs: mean * 1000, p50Ms: p50 * 1000, p95Ms: p95 * 1000, maxMs: max * 1000 };
}

/** The receiver's record, which begins with its flow, on the run's time. */
function flowIntervals(flow: FlowPlan, report: ReceiverReport, count: number): FlowIntervals {
  const { intervals } = report;
  const before = Math.round(flow.startSeconds / INTERVAL_SECONDS);
  const placed = <Value>(values: readonly Value[], absent: Value): Value[] =>
    Array.from({ length: count }, (_, index) => values[index - before] ?? absent);
  return {
    deliveredBitsPerSecond: placed(
      wireBytesOf(report).map((bytes) => (8 * bytes) / INTERVAL_SECONDS),
      0,
    ),
    queueingDelayMeanMs: placed(intervals.queueing_delay_mean_s.map(milliseconds), null),
    queueingDelayP95Ms: placed(intervals.queueing_delay_p95_s.map(milliseconds), null),
    cwndBytes: placed<number | null>(intervals.cwnd_bytes, null),
    bytesInFlight: placed<number | null>([], null),
    pacingBitsPerSecond: placed<number | null>([], null),
  };
}

/** Of each interval, as the link counts. */
function wireBytesOf({ intervals }: ReceiverReport): number[] {
  return intervals.payload_bytes.map(
    (bytes, index) => bytes + OVERHEAD_BYTES * (intervals.datagrams[index] ?? 0),
  );
}

function milliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000;
}
