"""Runs as rows: a table for each grain, joined by the run's key, every unit in its column's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path

import polars as pl

from e2e.laboratory.plan import OnOff, RunPlan
from e2e.laboratory.record import FinishedRun
from e2e.laboratory.result import DelaySummary, PlayerResult, RunResult
from e2e.laboratory.statistics.fairness import run_fairness
from e2e.laboratory.statistics.missed_decisions import unanswered_share

Row = dict[str, object]

_TEXT, _NUMBER, _WHOLE = pl.String(), pl.Float64(), pl.Int64()
_DELAYS = {f"queueing_delay_{name}": _NUMBER for name in ("mean_ms", "p50_ms", "p95_ms", "max_ms")}

RUNS = pl.Schema(
    {
        "run": _TEXT,
        "place": _TEXT,
        "link": _TEXT,
        "arm": _TEXT,
        "seed": _WHOLE,
        "status": _TEXT,
        "failed_scheme": _TEXT,
        "failure": _TEXT,
        "duration_s": _NUMBER,
        "trace_start_ms": _WHOLE,
        "downlink_sha256": _TEXT,
        "uplink_sha256": _TEXT,
        "delay_ms": _NUMBER,
        "discipline": _TEXT,
        "queue_packets": _WHOLE,
        "loss_ratio": _NUMBER,
        "acks": _TEXT,
        "rule": _TEXT,
        "estimator": _TEXT,
        "capacity_bits_per_s": _NUMBER,
        "throughput_bits_per_s": _NUMBER,
        **_DELAYS,
        "packets_dropped": _WHOLE,
        "packets_lost_at_random": _WHOLE,
        "jain_last_30_s": _NUMBER,
        "unanswered_decision_ratio": _NUMBER,
        "qoe_per_segment": _NUMBER,
        "played_s": _NUMBER,
        "startup_s": _NUMBER,
        "stalls": _WHOLE,
        "stalled_s": _NUMBER,
        "bitrate_mean_bits_per_s": _NUMBER,
        "switches": _WHOLE,
        "estimate_error_ratio": _NUMBER,
        "server_cpu_share": _NUMBER,
        "server_lateness_p99_ms": _NUMBER,
        "receiver_lateness_p99_ms": _NUMBER,
        "wall_s": _NUMBER,
        "finished_at": pl.Datetime("ms", "UTC"),
    }
)
"""One row a run, failed ones included."""

FLOWS = pl.Schema(
    {
        "run": _TEXT,
        "flow": _WHOLE,
        "scheme": _TEXT,
        "preset": _TEXT,
        "start_s": _NUMBER,
        "stop_s": _NUMBER,
        "extra_rtt_ms": _NUMBER,
        "source": _TEXT,
        "goodput_bits_per_s": _NUMBER,
        "throughput_bits_per_s": _NUMBER,
        **_DELAYS,
        "packets_sent": _WHOLE,
        "packets_lost": _WHOLE,
        "spurious_losses": _WHOLE,
        "rtt_mean_ms": _NUMBER,
    }
)
"""One row a run and flow."""

INTERVALS = pl.Schema(
    {
        "run": _TEXT,
        "flow": _WHOLE,
        "begin_s": _NUMBER,
        "capacity_bits_per_s": _NUMBER,
        "delivered_bits_per_s": _NUMBER,
        "queueing_delay_mean_ms": _NUMBER,
        "queueing_delay_p95_ms": _NUMBER,
        "cwnd_bytes": _WHOLE,
        "bytes_in_flight": _WHOLE,
        "pacing_bits_per_s": _NUMBER,
    }
)
"""One row a run, flow and interval."""

SCHEMAS = {"runs.parquet": RUNS, "flows.parquet": FLOWS, "intervals.parquet": INTERVALS}


def write_rows(directory: Path, runs: Iterable[FinishedRun], about: Mapping[str, str]) -> None:
    """Writes the three tables; `about` goes into each file, so that it describes itself where it is alone."""
    known = list(runs)
    tables = {
        "runs.parquet": pl.DataFrame([_run_row(run) for run in known], schema=RUNS),
        "flows.parquet": pl.DataFrame([row for run in known for row in _flow_rows(run)], schema=FLOWS),
        "intervals.parquet": pl.concat([INTERVALS.to_frame(), *(frame for run in known for frame in _intervals(run))]),
    }
    for name, table in tables.items():
        table.write_parquet(directory / name, compression="zstd", metadata=dict(about))


def _run_row(run: FinishedRun) -> Row:
    record = run.record
    plan, result, failure = record.plan, record.result, record.failure
    row: Row = {"run": run.key, **_plan_columns(plan)}
    row |= {
        "status": "finished" if failure is None else "failed",
        "failed_scheme": None if failure is None else failure.scheme,
        "failure": None if failure is None else failure.message,
        "wall_s": record.wall_s,
        "finished_at": datetime.fromisoformat(record.finished_at),
    }
    return row if result is None else row | _result_columns(plan, result)


def _plan_columns(plan: RunPlan) -> Row:
    link = asdict(plan.link)
    columns: Row = {"link": link.pop("name"), "trace_start_ms": link.pop("start_ms"), **link}
    columns |= {"place": plan.place, "arm": plan.arm.name, "seed": plan.seed}
    columns |= {"duration_s": plan.duration_s, "acks": plan.acks}
    return columns if plan.player is None else columns | asdict(plan.player)


def _result_columns(plan: RunPlan, result: RunResult) -> Row:
    link, player = result.link, result.player
    return {
        "capacity_bits_per_s": link.capacity_bits_per_s,
        "throughput_bits_per_s": link.throughput_bits_per_s,
        **_delay_columns(link.queueing_delay),
        "packets_dropped": link.dropped,
        "packets_lost_at_random": link.lost,
        "jain_last_30_s": run_fairness(plan, result.intervals).jain,
        "unanswered_decision_ratio": unanswered_share(result),
        "server_cpu_share": result.server_cpu_share,
        "server_lateness_p99_ms": result.server_lateness_p99_ms,
        "receiver_lateness_p99_ms": result.receiver_lateness_p99_ms,
        **({} if player is None else {field.name: getattr(player, field.name) for field in fields(PlayerResult)}),
    }


def _delay_columns(delay: DelaySummary | None) -> Row:
    return {} if delay is None else {f"queueing_delay_{name}": value for name, value in asdict(delay).items()}


def _flow_rows(run: FinishedRun) -> Iterable[Row]:
    plan, result = run.record.plan, run.record.result
    if result is None:
        return
    for index, (planned, measured) in enumerate(zip(plan.arm.flows, result.flows, strict=True)):
        columns = asdict(measured)
        del columns["queueing_delay"]
        yield {
            "run": run.key,
            "flow": index,
            **asdict(planned),
            "source": _source_text(planned.source),
            **columns,
            **_delay_columns(measured.queueing_delay),
        }


def _source_text(source: OnOff | None) -> str:
    return "bulk" if source is None else f"on-off/{source.on_bytes}/{source.off_s:g}"


def _intervals(run: FinishedRun) -> Iterable[pl.DataFrame]:
    result = run.record.result
    if result is None:
        return
    intervals = result.intervals
    count = len(intervals.begin_s)
    for index, flow in enumerate(intervals.flows):
        columns = {
            "run": [run.key] * count,
            "flow": [index] * count,
            "begin_s": intervals.begin_s,
            "capacity_bits_per_s": intervals.capacity_bits_per_s,
            **{field.name: getattr(flow, field.name) for field in fields(flow)},
        }
        yield pl.DataFrame(columns, schema=INTERVALS)
