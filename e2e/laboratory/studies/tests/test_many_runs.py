"""What a thousand runs are measured by."""

from __future__ import annotations

import time

import pytest

from e2e.laboratory.studies import many_runs
from models.executors.processes import executor_of, make_processes


def test_growth_is_that_after_the_start() -> None:
    assert many_runs.growth([1, 10, 100, 100, 100, 100, 110, 110]) == pytest.approx(1.1)


def test_the_memory_of_processes_is_seen_while_they_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_runs, "SAMPLE_S", 0.01)
    with many_runs.workers_memory_bytes() as samples, executor_of(make_processes, 1) as executor:
        while not samples or max(samples) == 0:
            executor.submit(time.monotonic).result()
    assert max(samples) > 1e6
