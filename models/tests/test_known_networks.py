"""Episodes in which a share of the path's switches is known."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cc.registry import scheme
from cc.sender.owl import Owl
from models.scenarios.episode import Contender, Episode
from models.scenarios.scenario import Scenario, ScenarioDistribution

CLEAN = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=5.0)
RATIOS = (0.0, 0.5, 0.8, 1.0)


def test_the_share_is_drawn_and_changes_no_other_draw() -> None:
    drawn = [ScenarioDistribution(known_ratios=RATIOS).draw("training", random.Random(seed)) for seed in range(200)]
    plain = [ScenarioDistribution().draw("training", random.Random(seed)) for seed in range(200)]
    assert [replace(scenario, known_ratio=0.0) for scenario in drawn] == plain
    for ratio in RATIOS:
        assert 25 < sum(scenario.known_ratio == ratio for scenario in drawn) < 75


@pytest.mark.parametrize("known_ratio", RATIOS)
def test_the_learner_hears_of_the_share(known_ratio: float) -> None:
    episode = Episode(replace(CLEAN, known_ratio=known_ratio), Contender(scheme("owl")))
    episode.run_until(3.0)
    owl = episode.flow.plan.scheme
    assert isinstance(owl, Owl)
    assert owl.log_fields()["known_ratio"] == (known_ratio if known_ratio > 0 else None)
    request = owl.request
    assert request is not None
    assert request.observation[-1] == 100 * known_ratio


def test_all_switches_know_of_the_bottleneck() -> None:
    episode = Episode(replace(CLEAN, known_ratio=1.0), Contender(scheme("owl")))
    heard = []
    for second in range(1, 5):
        episode.run_until(second + 0.5)
        heard.append(episode.flow.plan.scheme.log_fields()["pnk_packets"])
    # CUBIC without answers: the queue of 40 fills and overflows at times
    assert any(pnk is not None and pnk > 0 for pnk in heard)
