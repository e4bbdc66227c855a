/** One run in virtual time, as `nuwa simulate -` is asked for it and answers: one line of JSON each. */
import { decisionsByScheme, type PolicyReport } from "../browser/cell/decisions.ts";
import { requireAnswers } from "./decisions.ts";
import type { RunTraces } from "./matrix.ts";
import { INTERVAL_SECONDS, OMNISCIENT, PACKET_BYTES, type RunPlan } from "./plan.ts";
import {
  type DelaySummary,
  type FlowIntervals,
  type FlowResult,
  type Intervals,
  RunError,
  type RunResult,
} from "./result.ts";
import { cutWindow } from "./trace-window.ts";

/**
 * The request's line. The traces are cut out for the run, so that no answer depends on where they repeat. The way back and the
 * link's clock are mahimahi's, which the emulated places have, too; only what shows the limit is free of them.
 */
export function simulationRequest(id: string, plan: RunPlan, traces: RunTraces): string {
  const { link, arm, seed, durationSeconds, acks } = plan;
  const window = { fromMs: link.startMs, lengthMs: Math.ceil(durationSeconds * 1000) };
  return JSON.stringify({
    id,
    link: {
      opportunities_ms: cutWindow(traces.opportunitiesMs, window),
      return_opportunities_ms: cutWindow(traces.returnOpportunitiesMs, window),
      clock: arm.flows.every(({ scheme }) => scheme === OMNISCIENT) ? "exact" : "mahimahi",
      queue: { discipline: link.discipline, packets: link.queuePackets, wire_bytes: null },
      delay_ms: link.delayMs,
      return_delay_ms: link.delayMs,
      loss_ratio: link.lossRatio,
    },
    flows: arm.flows.map((flow) => ({
      scheme: flow.scheme,
      preset: flow.preset,
      start_s: flow.startSeconds,
      stop_s: flow.stopSeconds,
      extra_delay_ms: flow.extraRttMs,
      source:
        flow.source.kind === "bulk"
          ? { kind: "bulk" }
          : { kind: "on-off", on_bytes: flow.source.onBytes, off_s: flow.source.offSeconds },
    })),
    duration_s: durationSeconds,
    seed,
    interval_s: INTERVAL_SECONDS,
    options: { ack: acks },
    packet_bytes: PACKET_BYTES,
  });
}

interface Answer {
  id: string;
  error?: { scheme: string | null; message: string; state?: Record<string, unknown> };
  flows: AnsweredFlow[];
  link: {
    capacity_bits_per_s: number;
    throughput_bits_per_s: number;
    queueing_delay: AnsweredDelay | null;
    dropped: number;
    lost: number;
  };
  intervals: {
    time_s: number[];
    capacity_bits_per_s: number[];
    flows: AnsweredIntervals[];
  };
}

interface AnsweredDelay {
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  max_ms: number;
}

interface AnsweredFlow {
  scheme: string;
  goodput_bits_per_s: number;
  throughput_bits_per_s: number;
  queueing_delay: AnsweredDelay | null;
  packets_sent: number;
  packets_lost: number;
  spurious_losses: number;
  rtt_mean_ms: number | null;
  /** null where nothing asks a policy. */
  decisions: { asked: number; answered: number; late: number; failed: number } | null;
}

interface AnsweredIntervals {
  delivered_bits_per_s: number[];
  queueing_delay_mean_ms: (number | null)[];
  queueing_delay_p95_ms: (number | null)[];
  cwnd_bytes: (number | null)[];
  bytes_in_flight: (number | null)[];
  pacing_bits_per_s: (number | null)[];
}

/** @throws RunError where the answer tells of a failure, or is none */
export function readAnswer(line: string, id: string): RunResult {
  const answer = parseAnswer(line);
  if (answer.id !== id) {
    throw new RunError({
      scheme: null,
      message: `the simulation answered ${answer.id}, not ${id}`,
      state: {},
    });
  }
  if (answer.error !== undefined) {
    const { scheme, message, state = {} } = answer.error;
    throw new RunError({ scheme, message, state });
  }
  const decisions = decisionsByScheme(answer.flows.flatMap(policyReport));
  requireAnswers(decisions);
  return {
    flows: answer.flows.map(flowResult),
    link: {
      capacityBitsPerSecond: answer.link.capacity_bits_per_s,
      throughputBitsPerSecond: answer.link.throughput_bits_per_s,
      queueingDelay: delaySummary(answer.link.queueing_delay),
      dropped: answer.link.dropped,
      lost: answer.link.lost,
    },
    intervals: intervalsOf(answer.intervals),
    serverCpuShare: null,
    decisions,
  };
}

/** A simulation without its policy does not run at all. */
function policyReport({ scheme, decisions }: AnsweredFlow): PolicyReport[] {
  if (decisions === null) return [];
  const { asked, ...counts } = decisions;
  return [{ ...counts, scheme, is_loaded: true, decisions: asked }];
}

function parseAnswer(line: string): Answer {
  try {
    return JSON.parse(line) as Answer;
  } catch (error) {
    const said = line.length > 200 ? `${line.slice(0, 200)}...` : line;
    throw new RunError(
      { scheme: null, message: `the simulation answered "${said}", which is no JSON`, state: {} },
      { cause: error },
    );
  }
}

function flowResult(flow: AnsweredFlow): FlowResult {
  return {
    scheme: flow.scheme,
    goodputBitsPerSecond: flow.goodput_bits_per_s,
    throughputBitsPerSecond: flow.throughput_bits_per_s,
    queueingDelay: delaySummary(flow.queueing_delay),
    packetsSent: flow.packets_sent,
    packetsLost: flow.packets_lost,
    spuriousLosses: flow.spurious_losses,
    rttMeanMs: flow.rtt_mean_ms,
  };
}

function delaySummary(delay: AnsweredDelay | null): DelaySummary | null {
  if (delay === null) return null;
  return { meanMs: delay.mean_ms, p50Ms: delay.p50_ms, p95Ms: delay.p95_ms, maxMs: delay.max_ms };
}

function intervalsOf(answered: Answer["intervals"]): Intervals {
  return {
    timeSeconds: [0, ...answered.time_s.slice(0, -1)], // which the answer names by their ends
    capacityBitsPerSecond: answered.capacity_bits_per_s,
    flows: answered.flows.map(
      (flow): FlowIntervals => ({
        deliveredBitsPerSecond: flow.delivered_bits_per_s,
        queueingDelayMeanMs: flow.queueing_delay_mean_ms,
        queueingDelayP95Ms: flow.queueing_delay_p95_ms,
        cwndBytes: flow.cwnd_bytes,
        bytesInFlight: flow.bytes_in_flight,
        pacingBitsPerSecond: flow.pacing_bits_per_s,
      }),
    ),
  };
}
