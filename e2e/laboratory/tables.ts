/** Runs as rows: one table for each grain, joined by the run's key. */
import { unansweredShare } from "./decisions.ts";
import { runFairness } from "./fairness.ts";
import type { FinishedRun } from "./finished-run.ts";
import type { LinkPlan } from "./plan.ts";
import type { DelaySummary } from "./result.ts";

/** Columns and their types, as DuckDB calls them. */
export interface Table {
  name: string;
  columns: Readonly<Record<string, "VARCHAR" | "DOUBLE" | "INTEGER" | "BIGINT" | "TIMESTAMP">>;
  rows: Iterable<Readonly<Record<string, string | number | null>>>;
}

/** One row a run, failed ones included. */
export function runTable(runs: readonly FinishedRun[]): Table {
  return {
    name: "runs",
    columns: {
      ...{ run: "VARCHAR", place: "VARCHAR", link: "VARCHAR", arm: "VARCHAR", seed: "INTEGER" },
      ...{ status: "VARCHAR", failed_scheme: "VARCHAR", failure: "VARCHAR" },
      ...{
        duration_s: "DOUBLE",
        trace_start_ms: "BIGINT",
        downlink_sha256: "VARCHAR",
        uplink_sha256: "VARCHAR",
      },
      ...{
        delay_ms: "DOUBLE",
        discipline: "VARCHAR",
        queue_packets: "BIGINT",
        loss_ratio: "DOUBLE",
        acks: "VARCHAR",
      },
      ...{ capacity_bits_per_s: "DOUBLE", throughput_bits_per_s: "DOUBLE" },
      ...{ queueing_delay_mean_ms: "DOUBLE", queueing_delay_p50_ms: "DOUBLE" },
      ...{ queueing_delay_p95_ms: "DOUBLE", queueing_delay_max_ms: "DOUBLE" },
      ...{ packets_dropped: "BIGINT", packets_lost_at_random: "BIGINT", jain_last_30_s: "DOUBLE" },
      unanswered_decision_ratio: "DOUBLE",
      ...{ server_cpu_share: "DOUBLE", wall_s: "DOUBLE", finished_at: "TIMESTAMP" },
    },
    rows: runs.map(({ key, record: { plan, result, failure, wallSeconds, finishedAt } }) => ({
      ...{ run: key, place: plan.place, link: plan.link.name, arm: plan.arm.name, seed: plan.seed },
      status: failure === null ? "finished" : "failed",
      failed_scheme: failure?.scheme ?? null,
      failure: failure?.message ?? null,
      duration_s: plan.durationSeconds,
      ...linkColumns(plan.link),
      acks: plan.acks,
      capacity_bits_per_s: result?.link.capacityBitsPerSecond ?? null,
      throughput_bits_per_s: result?.link.throughputBitsPerSecond ?? null,
      ...delayColumns(result?.link.queueingDelay ?? null),
      packets_dropped: result?.link.dropped ?? null,
      packets_lost_at_random: result?.link.lost ?? null,
      jain_last_30_s: result === null ? null : runFairness(plan, result.intervals).jain,
      unanswered_decision_ratio: result === null ? null : unansweredShare(result),
      server_cpu_share: result?.serverCpuShare ?? null,
      ...{ wall_s: wallSeconds, finished_at: finishedAt },
    })),
  };
}

function linkColumns(link: LinkPlan) {
  return {
    ...{
      trace_start_ms: link.startMs,
      downlink_sha256: link.downlinkSha256,
      uplink_sha256: link.uplinkSha256,
    },
    ...{ delay_ms: link.delayMs, discipline: link.discipline, queue_packets: link.queuePackets },
    loss_ratio: link.lossRatio,
  };
}

function delayColumns(delay: DelaySummary | null) {
  return {
    queueing_delay_mean_ms: delay?.meanMs ?? null,
    queueing_delay_p50_ms: delay?.p50Ms ?? null,
    queueing_delay_p95_ms: delay?.p95Ms ?? null,
    queueing_delay_max_ms: delay?.maxMs ?? null,
  };
}

/** One row a run and flow. */
export function flowTable(runs: readonly FinishedRun[]): Table {
  return {
    name: "flows",
    columns: {
      ...{ run: "VARCHAR", flow: "INTEGER", scheme: "VARCHAR", preset: "VARCHAR" },
      ...{ start_s: "DOUBLE", stop_s: "DOUBLE", extra_rtt_ms: "DOUBLE", source: "VARCHAR" },
      ...{ goodput_bits_per_s: "DOUBLE", throughput_bits_per_s: "DOUBLE" },
      ...{ queueing_delay_mean_ms: "DOUBLE", queueing_delay_p50_ms: "DOUBLE" },
      ...{ queueing_delay_p95_ms: "DOUBLE", queueing_delay_max_ms: "DOUBLE" },
      ...{ packets_sent: "BIGINT", packets_lost: "BIGINT", spurious_losses: "BIGINT", rtt_mean_ms: "DOUBLE" },
    },
    rows: runs.flatMap(({ key, record: { plan, result } }) =>
      (result?.flows ?? []).map((flow, index) => {
        const planned = plan.arm.flows[index];
        const source = planned?.source;
        return {
          ...{ run: key, flow: index, scheme: flow.scheme, preset: planned?.preset ?? null },
          ...{ start_s: planned?.startSeconds ?? null, stop_s: planned?.stopSeconds ?? null },
          extra_rtt_ms: planned?.extraRttMs ?? null,
          source: source?.kind === "on-off" ? `on-off/${source.onBytes}/${source.offSeconds}` : "bulk",
          goodput_bits_per_s: flow.goodputBitsPerSecond,
          throughput_bits_per_s: flow.throughputBitsPerSecond,
          ...delayColumns(flow.queueingDelay),
          ...{ packets_sent: flow.packetsSent, packets_lost: flow.packetsLost },
          ...{ spurious_losses: flow.spuriousLosses, rtt_mean_ms: flow.rttMeanMs },
        };
      }),
    ),
  };
}

/** One row a run, flow and interval. */
export function intervalTable(runs: readonly FinishedRun[]): Table {
  return {
    name: "intervals",
    columns: {
      ...{ run: "VARCHAR", flow: "INTEGER", time_s: "DOUBLE" },
      ...{ capacity_bits_per_s: "DOUBLE", delivered_bits_per_s: "DOUBLE" },
      ...{ queueing_delay_mean_ms: "DOUBLE", queueing_delay_p95_ms: "DOUBLE" },
      ...{ cwnd_bytes: "BIGINT", bytes_in_flight: "BIGINT", pacing_bits_per_s: "DOUBLE" },
    },
    rows: intervalRows(runs),
  };
}

function* intervalRows(runs: readonly FinishedRun[]) {
  for (const { key, record } of runs) {
    if (record.result === null) continue;
    const { timeSeconds, capacityBitsPerSecond, flows } = record.result.intervals;
    for (const [index, flow] of flows.entries()) {
      for (const [at, time] of timeSeconds.entries()) {
        yield {
          ...{ run: key, flow: index, time_s: time, capacity_bits_per_s: capacityBitsPerSecond[at] ?? null },
          delivered_bits_per_s: flow.deliveredBitsPerSecond[at] ?? null,
          queueing_delay_mean_ms: flow.queueingDelayMeanMs[at] ?? null,
          queueing_delay_p95_ms: flow.queueingDelayP95Ms[at] ?? null,
          ...{ cwnd_bytes: flow.cwndBytes[at] ?? null, bytes_in_flight: flow.bytesInFlight[at] ?? null },
          pacing_bits_per_s: flow.pacingBitsPerSecond[at] ?? null,
        };
      }
    }
  }
}
