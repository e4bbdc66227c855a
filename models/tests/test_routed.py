"""ABC's router at the bottleneck, where it is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cc.registry import scheme
from models.scenarios.arena import result
from models.scenarios.episode import Contender
from models.scenarios.routed import RoutedEpisode
from models.scenarios.scenario import Scenario

CLEAN = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=4.0)


def test_abcs_router_is_where_the_bottleneck_is_known() -> None:
    episodes = [RoutedEpisode(replace(CLEAN, known_ratio=ratio), Contender(scheme("abc"))) for ratio in (0.0, 1.0)]
    for episode in episodes:
        episode.run_until(4.0)
    unknown, known = (result(episode.flow.record, 4.0) for episode in episodes)
    assert known.delay_p95_s < unknown.delay_p95_s
    assert 8 * known.throughput_bytes_per_s == pytest.approx(12e6, rel=0.15)
