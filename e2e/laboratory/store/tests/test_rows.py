from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from e2e.laboratory.plan import FlowChoice, OnOff, PlayerPlan
from e2e.laboratory.record import FinishedRun, RunFailure
from e2e.laboratory.result import PlayerResult
from e2e.laboratory.store.columns import page
from e2e.laboratory.store.rows import SCHEMAS, write_rows
from e2e.laboratory.tests.samples import sample_plan, sample_record, sample_result

FLOWS = [FlowChoice("cubic", "on-demand"), FlowChoice("nuwa", "on-demand", source=OnOff(9, 1.0))]
PLAN = sample_plan(FLOWS, duration_s=1.0)
FINISHED = FinishedRun("one", sample_record(PLAN, sample_result(PLAN, [6e6, 18e6], 20.0)))
FAILED = FinishedRun("two", sample_record(replace(PLAN, seed=2), RunFailure("window of -1 bytes", "nuwa")))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    write_rows(tmp_path, [FINISHED, FAILED], {"command": "bench 'a'"})
    return tmp_path


def test_runs_come_back_as_they_were_failed_ones_too(directory: Path) -> None:
    one, two = pl.read_parquet(directory / "runs.parquet").to_dicts()
    assert (one["run"], one["arm"], one["seed"], one["status"], one["failure"]) == ("one", "cubic", 1, "finished", None)
    assert (one["queue_packets"], one["queueing_delay_p95_ms"], one["jain_last_30_s"]) == (300, 20.0, 0.8)
    assert one["finished_at"] == datetime(2026, 11, 21, 12, tzinfo=UTC)
    assert (two["status"], two["failed_scheme"], two["failure"]) == ("failed", "nuwa", "window of -1 bytes")
    assert (two["queue_packets"], two["throughput_bits_per_s"], two["jain_last_30_s"]) == (300, None, None)


def test_flows_and_their_intervals_join_them(directory: Path) -> None:
    flows = pl.read_parquet(directory / "flows.parquet")
    assert flows.select("run", "flow", "scheme", "source", "goodput_bits_per_s").rows() == [
        ("one", 0, "cubic", "bulk", 6e6),
        ("one", 1, "nuwa", "on-off/9/1", 18e6),
    ]
    intervals = pl.read_parquet(directory / "intervals.parquet")
    means = intervals.group_by("flow", maintain_order=True).agg(pl.len(), pl.col("delivered_bits_per_s").mean())
    assert means.rows() == [(0, 10, 6e6), (1, 10, 18e6)]


def test_a_file_says_what_made_it_and_has_the_columns_that_it_should(directory: Path) -> None:
    for name, schema in SCHEMAS.items():
        assert pl.read_parquet_metadata(directory / name)["command"] == "bench 'a'"
        assert pl.read_parquet_schema(directory / name) == schema
        columns = json.loads(pl.read_parquet_metadata(directory / name)["columns"])
        assert list(columns) == list(schema)
        assert all(columns.values())


def test_the_page_has_every_column() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert page() in text, "python -m e2e.laboratory.store.columns prints the table"


def test_without_a_run_there_are_tables_all_the_same(tmp_path: Path) -> None:
    write_rows(tmp_path, [], {})
    assert all(pl.read_parquet(tmp_path / name).is_empty() for name in SCHEMAS)


def test_a_film_has_its_qoe(tmp_path: Path) -> None:
    film = PlayerResult(2.5, 30.0, 1.25, 1, 0.5, 3e6, 4, 0.1)
    plan = replace(PLAN, place="browser", player=PlayerPlan("nuwa", "dashjs"))
    result = replace(sample_result(PLAN, [6e6, 18e6], 20.0), player=film)
    write_rows(tmp_path, [FinishedRun("film", sample_record(plan, result))], {})
    (row,) = pl.read_parquet(tmp_path / "runs.parquet").to_dicts()
    assert (row["rule"], row["estimator"], row["qoe_per_segment"], row["stalls"]) == ("nuwa", "dashjs", 2.5, 1)
