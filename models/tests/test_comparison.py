"""Policies beside rivals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.comparison import comparison
from models.scenarios.evaluation import Score


def test_differences_are_paired_by_scenario() -> None:
    score = Score("6mbit", reward=1.0, utilisation=0.5, queueing_delay_s=0.1, latency_s=0.2, loss_ratio=0.0)
    rival = [replace(score, reward=0.5), replace(score, reward=0.25, latency_s=0.4)]
    found = comparison("bbr", [score, score], rival)
    assert found["reward"]["difference"] == {"mean": 0.625, "low": 0.5, "high": 0.75}
    assert found["latency_s"] == {"policy": 0.2, "rival": pytest.approx(0.3)}
    assert (found["scenarios"], found["rival"]) == (2, "bbr")
