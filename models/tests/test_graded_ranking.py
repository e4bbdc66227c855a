"""Ranks by degrees, by hand."""

from __future__ import annotations

import math

import pytest

from cc.registry import scheme
from models.scenarios.arena import play_alone
from models.scenarios.episode import Contender
from models.scenarios.graded_ranking import BROAD, SHARP, graded_ranks, share_beaten
from models.scenarios.scenario import Scenario

SCENARIO = Scenario("8mbit", base_rtt_s=0.040, queue_packets=60, duration_s=6.0)


def test_a_share_rises_with_the_lead() -> None:
    assert share_beaten(0.0) == 0.5
    assert share_beaten(BROAD) == pytest.approx((1 / (1 + math.exp(-1)) + 1) / 2)
    assert share_beaten(-BROAD) == pytest.approx(1 - share_beaten(BROAD))
    assert share_beaten(SHARP) == pytest.approx((1 / (1 + math.exp(-SHARP / BROAD)) + 1 / (1 + math.exp(-1))) / 2)


def test_among_its_like_a_contender_has_the_middle_rank() -> None:
    record = play_alone(Contender(scheme("cubic")), SCENARIO).flow.record
    assert graded_ranks(record, 2.0, SCENARIO, ("cubic", "cubic")) == (2.0, 2.0)


def test_what_fills_the_link_with_less_delay_ranks_below_in_delay_alone() -> None:
    record = play_alone(Contender(scheme("bbr")), SCENARIO).flow.record
    throughput_rank, delay_rank = graded_ranks(record, 6.0, SCENARIO, ("cubic",))
    assert 1.3 < throughput_rank < 1.7
    assert delay_rank < 1.3


def test_a_starved_contender_sees_a_way_uphill() -> None:
    assert share_beaten(-math.log(5)) > 1.5 * share_beaten(-math.log(10)) > 0
