"""The setting of Seo and Cho: one flow alone, and two that share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from models.evaluation.fairness import alone, contenders, main, share
from models.scenarios.constant_rates import BASE_RTT_S, SHARED_MBIT_PER_S, link

NOWHERE = Path("/nowhere")


def test_one_flow_alone() -> None:
    make = contenders("cubic", NOWHERE)
    found = alone(make(), link(5, duration_s=10.0))
    assert 4.5e6 < found.bits_per_s <= 5e6
    assert 0.100 < found.rtt_s < 0.100 + 100 * 1504 * 8 / 5e6  # at most 100 packets in the queue: 241 ms
    assert found.packets_lost > 0


def test_shares_of_both_are_one() -> None:
    scenario = replace(link(5, duration_s=10.0), rivals=("cubic",))
    found = share(contenders("newreno", NOWHERE)(), scenario)
    assert 0.2 < found < 0.8


def test_what_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dqn-v3"]) == 2
    assert "scheme 'dqn-v3' is unknown" in capsys.readouterr().err
    assert main(["dqn-v2", "--folder", str(NOWHERE)]) == 2
    assert "policy 'dqn-v2' has no card" in capsys.readouterr().err


def test_in_the_shortest_run_something_arrives() -> None:
    make = contenders("cubic", NOWHERE)
    assert alone(make(), link(1, duration_s=BASE_RTT_S)).bits_per_s > 0
    assert 0 < share(make(), link(SHARED_MBIT_PER_S, duration_s=BASE_RTT_S, rivals=("cubic",))) < 1


def test_prints_each_rate_and_the_shares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["newreno", "--rates", "5", "--seconds", "2", "--seeds", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["5", "Mbit/s", "newreno"],
        ["5", "Mbit/s", "cubic"],
        ["50", "Mbit/s", "newreno"],
        ["50", "Mbit/s", "cubic"],
    ]
    assert "% beside cubic" in lines[-1]
