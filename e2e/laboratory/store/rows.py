"""Runs as rows: a table for each grain, joined by the run's key, every unit in its column's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from pathlib import Path

import polars as pl

from e2e.laboratory.plan import OnOff, RunPlan
from e2e.laboratory.record import FinishedRun
from e2e.laboratory.result import DelaySummary, PlayerResult, RunResult, SegmentTimes
from e2e.laboratory.statistics.fairness import run_fairness
from e2e.laboratory.statistics.missed_decisions import unanswered_share
from e2e.laboratory.store.columns import TABLES, schema
from e2e.laboratory.store.tables import write_table

Row = dict[str, object]
SCHEMAS = {name: schema(columns) for name, columns in TABLES.items()}
"""Of each file."""
INTERVALS = SCHEMAS["intervals.parquet"]


def write_rows(directory: Path, runs: Iterable[FinishedRun], about: Mapping[str, str]) -> None:
    """Writes the three tables, each with `about` and what its columns are. Raises OSError."""
    known = list(runs)
    tables = {
        "runs.parquet": pl.DataFrame([_run_row(run) for run in known], schema=SCHEMAS["runs.parquet"]),
        "flows.parquet": pl.DataFrame(
            [row for run in known for row in _flow_rows(run)], schema=SCHEMAS["flows.parquet"]
        ),
        "intervals.parquet": pl.concat([INTERVALS.to_frame(), *(frame for run in known for frame in _intervals(run))]),
    }
    for name, table in tables.items():
        write_table(directory / name, table, TABLES[name], about)


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
        del columns["queueing_delay"], columns["segments"]
        yield {
            "run": run.key,
            "flow": index,
            **asdict(planned),
            "source": _source_text(planned.source),
            **columns,
            **_delay_columns(measured.queueing_delay),
            **_segment_columns(measured.segments),
        }


def _segment_columns(times: SegmentTimes | None) -> Row:
    if times is None:
        return {}
    return {
        "segments_delivered": times.delivered,
        "segment_mean_ms": times.mean_ms,
        "segment_p95_ms": times.p95_ms,
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
