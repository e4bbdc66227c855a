"""How flows share a link."""

from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.plan import FlowChoice
from e2e.laboratory.statistics.fairness import Fairness, ShareBin, jain_index, run_fairness, share_bins
from e2e.laboratory.tests.samples import sample_plan, sample_result

CUBIC = FlowChoice("cubic", "on-demand")
PLAN = sample_plan([CUBIC, replace(CUBIC, start_s=1, stop_s=3)], duration_s=4)
INTERVALS = sample_result(PLAN, [6e6, 18e6], 20).intervals


def test_the_index_is_1_of_equals_and_1_of_n_where_one_has_all() -> None:
    assert jain_index([5, 5, 5]) == 1
    assert jain_index([0, 7, 0, 0]) == 0.25
    assert jain_index([0, 0]) is None


def test_the_index_is_taken_while_all_flows_are_there() -> None:
    # 6 and 18 Mbit/s: 24^2 / (2 * (36 + 324)) = 0.8
    assert run_fairness(PLAN, INTERVALS) == Fairness(0.8, (0.25, 0.75))


def test_one_flow_or_flows_that_never_meet_share_nothing() -> None:
    alone = sample_plan()
    assert run_fairness(alone, sample_result(alone, [6e6], 20).intervals) == Fairness(None, (None,))
    apart = sample_plan([replace(CUBIC, stop_s=1), replace(CUBIC, start_s=1)], duration_s=4)
    assert run_fairness(apart, INTERVALS) == Fairness(None, (None, None))


def test_second_by_second_over_the_flows_that_are_active() -> None:
    assert share_bins(PLAN, INTERVALS) == [
        ShareBin(0, (6e6, None), None),
        ShareBin(1, (6e6, 18e6), 0.8),
        ShareBin(2, (6e6, 18e6), 0.8),
        ShareBin(3, (6e6, None), None),
    ]


def test_only_the_last_30_s_count() -> None:
    long = sample_plan([CUBIC, CUBIC], duration_s=40)
    steady = sample_result(long, [12e6, 12e6], 20).intervals
    first, second = steady.flows
    late = replace(second, delivered_bits_per_s=(0.0,) * 100 + second.delivered_bits_per_s[100:])
    assert run_fairness(long, replace(steady, flows=(first, late))).jain == pytest.approx(1)
