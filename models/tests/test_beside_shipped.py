"""Imported or trained weights beside the shipped policy."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from models.evaluation.beside_shipped import main, table
from models.scenarios.evaluation import Score

SCORE = Score(
    trace="a",
    reward=0.0,
    utilisation=0.9,
    throughput_bytes_per_s=1.25e6,
    queueing_delay_s=0.02,
    queueing_p95_s=0.04,
    latency_s=0.06,
    loss_ratio=0.02,
)


def of_traces(score: Score) -> list[Score]:
    return [replace(score, trace=trace) for trace in "abc"]


def test_ratios_are_the_shipped_policys_over_the_others() -> None:
    other = replace(SCORE, throughput_bytes_per_s=1e6, queueing_p95_s=0.08)
    assert table(of_traces(SCORE), of_traces(other)).splitlines()[2:] == [
        "| throughput, Mbit/s | 10.00 | 8.00 | 1.250 (1.250 to 1.250) |",
        "| p95 queueing delay, ms | 40.0 | 80.0 | 0.500 (0.500 to 0.500) |",
        "| loss, % | 2.00 | 2.00 | 1.000 (1.000 to 1.000) |",
    ]


def test_few_traces_have_no_interval_and_nothing_no_ratio() -> None:
    lines = table([SCORE], [replace(SCORE, queueing_p95_s=math.inf, loss_ratio=0.0)]).splitlines()[2:]
    assert lines == [
        "| throughput, Mbit/s | 10.00 | 10.00 | 1.000 |",
        "| p95 queueing delay, ms | 40.0 | inf | |",
        "| loss, % | 2.00 | 0.00 | |",
    ]


def test_a_folder_without_the_policy_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["indigo", "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
