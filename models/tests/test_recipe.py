"""Recipes say nothing that their algorithm does not read."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from models.recipes import RECIPES
from models.recipes.aurora import AURORA
from models.recipes.bbr_fit import BBR_FIT
from models.recipes.indigo import INDIGO
from models.recipes.recipe import Recipe, VariantError
from models.recipes.zixia import ZIXIA
from models.scenarios.evaluation import play
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario


def test_an_episodes_reward_is_shared_or_left_out() -> None:
    with pytest.raises(VariantError, match="policy zixia shares an episode's reward, and ppo does not: dual-ppo does"):
        replace(ZIXIA, algorithm="ppo")
    assert replace(ZIXIA, algorithm="ppo", episode_reward=None).algorithm == "ppo"


def test_an_expert_is_imitated_or_left_out() -> None:
    with pytest.raises(
        VariantError, match="policy indigo has an expert, and recurrent-ppo imitates nobody: dagger and"
    ):
        replace(INDIGO, algorithm="recurrent-ppo")
    with pytest.raises(
        VariantError, match="policy indigo has no expert, and dagger imitates one: dagger and an expert"
    ):
        replace(INDIGO, expert=None)


def test_aurora_practises_on_round_trips_and_losses_of_its_authors_and_is_judged_as_all_are() -> None:
    rng = random.Random(1)
    practised = [AURORA.practised_scenarios.draw("training", rng) for _ in range(200)]
    assert min(each.base_rtt_s for each in practised) < 0.1
    assert 0.9 < max(each.base_rtt_s for each in practised) <= 1.0
    assert all(0.001 <= each.loss_ratio <= 0.05 for each in practised)
    assert all(each.base_rtt_s <= 0.12 for each in AURORA.scenarios.fixed("validation", seed=1))


def test_a_recipe_practises_where_it_is_judged_unless_it_says_otherwise() -> None:
    assert BBR_FIT.practised_scenarios is BBR_FIT.scenarios


def test_a_memory_is_of_an_algorithm_that_keeps_one() -> None:
    with pytest.raises(VariantError, match="policy bbr-fit has a memory, and ppo keeps none: recurrent-ppo, dagger do"):
        replace(BBR_FIT, lstm_units=32)


@pytest.mark.parametrize("policy", RECIPES, ids=lambda policy: policy.name)
def test_a_reward_over_a_link_that_is_silent_is_a_number(policy: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.scenarios.episode.opportunities_ms", lambda trace: [*range(1, 500), 60_000])
    silent = Scenario("outage", base_rtt_s=0.04, queue_packets=100, duration_s=5.0, trace_offset_s=1.0)
    played = play(by_hand("cubic").make(), silent, policy.reward, window_s=policy.window_s)
    assert math.isfinite(played.reward)
