"""ZiXia's rewards: eq. 2, 4 and 6 by hand, and the ranking in an episode."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from models.recipes import recipe
from models.recipes.recipe import Falling
from models.recipes.zixia import RIVALS, SCALE, delay_ranking_reward, ranking_reward, transient_reward
from models.recipes.zixia_lean import SLOW, ZIXIA_LEAN
from models.recipes.zixia_lean import reward as lean_reward
from models.scenarios.arena import Placing, ranking_among
from models.scenarios.episode import Outcome
from models.scenarios.scenario import Scenario
from models.training.environment import CongestionEnv


@pytest.mark.parametrize(
    ("throughput_rank", "delay_rank", "expected", "expected_delay"),
    [(5, 1, 9, 5), (1, 5, -3, -3), (3, 2, 4, 4), (4, 2, 6, 4), (2, 1, 3, 3), (5, 5, 5, 1)],
)
def test_eq_2_and_eq_6(throughput_rank: float, delay_rank: float, expected: float, expected_delay: float) -> None:
    assert ranking_reward(throughput_rank, delay_rank) == expected
    assert delay_ranking_reward(throughput_rank, delay_rank) == expected_delay


@pytest.mark.parametrize(("mean_s", "expected"), [(0.010, 0.1 * 8 - 1.0), (0.0, 0.8)])
def test_eq_4_takes_megabits_and_seconds(mean_s: float, expected: float) -> None:
    outcome: Any = SimpleNamespace(throughput_bytes_per_s=lambda: 1e6, mean_queueing_delay_s=mean_s)
    assert transient_reward(cast("Outcome", outcome)) == pytest.approx(SCALE * expected)


@pytest.mark.parametrize(("name", "equation"), [("zixia", ranking_reward), ("zixia-delay", delay_ranking_reward)])
def test_an_episode_that_is_over_tells_its_ranking(name: str, equation: Any) -> None:  # noqa: ANN401
    scenario = Scenario("8mbit", base_rtt_s=0.040, queue_packets=60, duration_s=3.0)
    env = CongestionEnv(recipe(name))
    env.reset(seed=1, options={"scenario": scenario})
    stay = recipe(name).space.actions.values.index(0.0)  # type: ignore[union-attr]
    is_cut = False
    while not is_cut:
        *_, is_cut, info = env.step(stay)
    assert env.episode is not None
    ranks = ranking_among(env.episode.flow.record, 3.0, scenario, RIVALS)
    assert info["episode_reward"] == pytest.approx(SCALE * equation(*ranks))
    assert env.episode_reward() == info["episode_reward"]


@pytest.mark.parametrize(("name", "equation"), [("zixia", ranking_reward), ("zixia-delay", delay_ranking_reward)])
def test_it_is_judged_by_its_ranking_among_all(name: str, equation: Any) -> None:  # noqa: ANN401
    scenario = Scenario("8mbit", base_rtt_s=0.040, queue_packets=60, duration_s=3.0)
    scores = recipe(name).scores({rival.name: rival.make for rival in recipe(name).rivals}, [scenario])
    assert tuple(scores) == RIVALS
    places = {name: cast("Placing", each[0]) for name, each in scores.items()}
    assert sum(place.throughput_rank for place in places.values()) == 1 + 2 + 3 + 4
    for place in places.values():
        assert place.reward == equation(place.throughput_rank, place.delay_rank)


def half_second(*, mean_delay_s: float | None, lost_bytes_per_s: float) -> Outcome:
    """Made up: 50 kB of the 62.5 kB that the link could carry, whose mean rate is 125 kB/s."""
    record = SimpleNamespace(
        wire_bytes=lambda _since_s, _until_s: 50_000,
        delays=lambda _since_s, _until_s: None if mean_delay_s is None else SimpleNamespace(mean_s=mean_delay_s),
    )
    episode = SimpleNamespace(
        network=SimpleNamespace(flows=[SimpleNamespace(record=record)]),
        mean_bytes_per_s=125_000,
        capacity_bytes=lambda begin_s, end_s: 125_000 * (end_s - begin_s),
    )
    return cast("Outcome", SimpleNamespace(episode=episode, end_s=4.0, lost_bytes_per_s=lost_bytes_per_s))


@pytest.mark.parametrize(
    ("mean_delay_s", "lost_bytes_per_s", "expected"),
    [
        (0.05, 1250.0, 0.8 - 2 * 0.05 - 0.5 * 0.01),
        (3.0, 1e9, 0.8 - 2 * 1.0 - 0.5 * 1.0),
        (None, 0.0, 0.8 - 2 * 0.5),  # nothing left the link for half a second
    ],
)
def test_the_lean_ones_reward(mean_delay_s: float | None, lost_bytes_per_s: float, expected: float) -> None:
    outcome = half_second(mean_delay_s=mean_delay_s, lost_bytes_per_s=lost_bytes_per_s)
    assert lean_reward(outcome) == pytest.approx(SCALE * expected)


@pytest.mark.parametrize("name", ["zixia", "zixia-delay", "zixia-lean"])
def test_notes_are_true_of_their_recipe(name: str) -> None:
    chosen = recipe(name)
    notes = " ".join(chosen.notes)
    is_eq_5 = chosen.episode_reward is not None
    assert ("shares its ranking so far" in notes) == is_eq_5
    assert ("Delay in eq. 4 is" in notes) == is_eq_5
    assert ("Not the paper's training" in notes) == (not is_eq_5)
    if is_eq_5:
        decisions = chosen.scenarios.duration_s * 100  # each 10 ms
        assert chosen.parameters["n_steps"] == decisions / 2
    assert len(set(chosen.notes)) == len(chosen.notes)


def test_the_card_tells_eq_2_from_eq_6() -> None:
    zixia, delay = recipe("zixia"), recipe("zixia-delay")
    assert "(2 rank of throughput - rank of 95th percentile delay)" in zixia.reward_text
    assert "(2 min(rank of throughput, 3) - rank of 95th percentile delay)" in delay.reward_text
    for chosen, equation in ((zixia, "(eq. 2)"), (delay, "(eq. 6)")):
        assert chosen.judge_text is not None
        assert equation in chosen.reward_text
        assert equation in chosen.judge_text


def test_other_recipes_share_nothing() -> None:
    env = CongestionEnv(recipe("bbr-fit"))
    env.reset(seed=1)
    assert env.episode_reward() is None


def test_rivals_of_a_pool_are_played_once() -> None:
    distribution = recipe("zixia").scenarios
    assert distribution.pool is not None
    drawn = {distribution.draw("training", random.Random(seed)) for seed in range(500)}
    assert 0.9 * distribution.pool < len(drawn) <= distribution.pool


def test_the_lean_one_practises_on_slow_links_unless_traces_are_given() -> None:
    scenarios = ZIXIA_LEAN.scenarios
    assert set(SLOW) < set(scenarios.practised("training"))
    assert replace(scenarios, traces=("8mbit",)).practised("training") == ("8mbit",)
    assert not {scenario.trace for scenario in scenarios.fixed("validation", seed=1)} & set(SLOW)


def test_a_falling_parameter_never_falls_below_zero() -> None:
    falling = Falling(1e-3)
    assert [falling(progress) for progress in (1.0, 0.25, 0.0, -0.02)] == [1e-3, 2.5e-4, 0.0, 0.0]
