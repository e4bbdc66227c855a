"""What the benchmark of decisions prints; how long they take is not for tests."""

from __future__ import annotations

import asyncio

import pytest

from e2e.laboratory.learned.decision_time import as_text, decision_times, main
from models.policies.policy import load_policy


def test_quantiles_are_in_milliseconds() -> None:
    # of 1 to 201 ms, in two hundred steps
    times_s = [number / 1000 for number in range(201, 0, -1)]
    assert as_text("owl", times_s) == "owl: p50 101.000 ms, p99 199.000 ms, largest 201.000 ms (201 decisions)"


def test_the_first_decisions_are_left_out() -> None:
    space = load_policy("bbr-fit").card.space
    times_s = asyncio.run(decision_times("bbr-fit", space, count=3))
    assert len(times_s) == 3
    assert min(times_s) > 0


def test_a_policy_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["owls"]) == 2
    assert "policy 'owls' has no card" in capsys.readouterr().err
