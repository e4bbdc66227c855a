"""Scenarios are drawn alike from the same seed, and played as drawn."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cc.registry import scheme
from models.scenarios.episode import START, Contender, Episode, Outcome
from models.scenarios.evaluation import play
from models.scenarios.scenario import Scenario, ScenarioDistribution

CLEAN = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=5.0)


def utilisation(outcome: Outcome) -> float:
    return outcome.utilisation


def test_draws_stay_within_the_distribution() -> None:
    distribution = ScenarioDistribution(rival_sets=((), ("cubic",)), on_off_share=0.3, loss_share=0.5)
    first, again = ([distribution.draw("training", random.Random(7)) for _ in range(1)] for _ in range(2))
    assert first == again
    rng = random.Random(7)
    drawn = [distribution.draw("training", rng) for _ in range(200)]
    assert all(0.010 <= scenario.base_rtt_s <= 0.120 for scenario in drawn)
    assert 60 < sum(scenario.loss_ratio > 0 for scenario in drawn) < 140
    assert 60 < sum(scenario.rivals == ("cubic",) for scenario in drawn) < 140
    assert 30 < sum(scenario.on_off is not None for scenario in drawn) < 90
    assert len({scenario.trace for scenario in drawn}) > 40


def test_fixed_scenarios_have_every_trace() -> None:
    distribution = ScenarioDistribution(traces=("6mbit", "steps"))
    scenarios = distribution.fixed("test", seed=1, episodes_per_trace=2)
    assert [scenario.trace for scenario in scenarios] == ["6mbit", "6mbit", "steps", "steps"]
    assert scenarios == distribution.fixed("test", seed=1, episodes_per_trace=2)


def test_an_outcome_tells_the_truth_of_the_link() -> None:
    episode = Episode(CLEAN, Contender(scheme("bbr")))
    episode.run_until(2.0)
    outcome = episode.run_until(4.0)
    assert (outcome.start_s, outcome.end_s) == (2.0, 4.0)
    assert outcome.capacity_bytes_per_s == pytest.approx(12e6 / 8, rel=0.002)
    assert 0.9 < outcome.utilisation <= 1.0
    delay = outcome.queueing_delay()
    assert delay is not None
    assert 0.0 < delay.mean_s < 0.045  # 40 packets of 1 ms
    assert outcome.mean_queueing_delay_s == delay.mean_s
    assert episode.outcome_since(episode.mark()).mean_queueing_delay_s == 0.0  # nothing left in no time
    assert episode.outcome_since(START).duration_s == 4.0


def test_what_the_link_lost_is_charged_alike_in_short_intervals_and_in_long_ones() -> None:
    episode = Episode(replace(CLEAN, queue_packets=10), Contender(scheme("bbr")))
    short = [episode.run_until(0.02 * step) for step in range(1, 251)]
    whole = episode.outcome_since(START)
    losses = sum(each.lost_bytes_per_s * each.duration_s for each in short)
    carried = sum(each.throughput_bytes_per_s() * each.duration_s for each in short)
    assert losses > 0
    assert whole.link_loss_ratio == pytest.approx(losses / (losses + carried))
    assert max(each.link_loss_ratio for each in short) <= 1.0
    assert episode.outcome_since(episode.mark()).link_loss_ratio == 0.0  # nothing was sent in no time


def test_rivals_take_their_share() -> None:
    alone = play(Contender(scheme("cubic")), CLEAN, utilisation)
    shared = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=5.0, rivals=("cubic", "bbr"))
    assert play(Contender(scheme("cubic")), shared, utilisation).utilisation < 0.8 * alone.utilisation


def test_a_source_that_pauses_leaves_room() -> None:
    paused = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=5.0, on_off=(300_000, 1.0))
    assert 0.1 < play(Contender(scheme("cubic")), paused, utilisation).utilisation < 0.4
