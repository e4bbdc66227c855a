"""Owl's reward by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cc.registry import scheme
from models.recipes.owl import reward
from models.scenarios.episode import START, Contender, Episode
from models.scenarios.scenario import Scenario

CLEAN = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=4.0)


def test_eq_4_over_an_episode() -> None:
    episode = Episode(CLEAN, Contender(scheme("cubic")))
    whole = episode.run_until(4.0)
    lost = whole.until.packets_lost_by_link
    assert lost > 0
    # 1200 bytes and 32 of headers in opportunities of 1504; 12 Mbit/s are 1.5e6 bytes/s
    lost_share = lost * 1232 / 4.0 / 1.5e6
    share = whole.throughput_bytes_per_s() / 1.5e6
    assert reward(whole) == pytest.approx(0.3 * share - 0.7 * lost_share, rel=0.005)


def test_a_loss_counts_when_the_link_loses_it_and_not_when_it_is_declared() -> None:
    far = replace(CLEAN, base_rtt_s=0.200)
    outcome = Episode(far, Contender(scheme("cubic"))).run_until(1.3)
    # slow start overflows the queue at 1.1 s, and nothing says so to the sender before 1.3
    assert outcome.until.packets_lost == 0
    lost = outcome.until.packets_lost_by_link
    assert lost > 100
    assert outcome.lost_bytes_per_s == pytest.approx(lost * 1232 / 1.3)
    share = outcome.throughput_bytes_per_s() / 1.5e6
    assert reward(outcome) == pytest.approx(0.3 * share - 0.7 * lost * 1232 / 1.3 / 1.5e6, rel=0.005)


def test_the_utility_adds_up_over_time() -> None:
    episode = Episode(CLEAN, Contender(scheme("cubic")))
    parts = [reward(episode.run_until(end_s)) for end_s in (1.0, 2.0, 3.0, 4.0)]
    assert sum(parts) / 4 == pytest.approx(reward(episode.outcome_since(START)))
