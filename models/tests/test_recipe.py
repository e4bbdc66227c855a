"""Recipes say nothing that their algorithm does not read."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from models.recipes.aurora import AURORA
from models.recipes.bbr_fit import BBR_FIT
from models.recipes.indigo import INDIGO
from models.recipes.recipe import VariantError
from models.recipes.zixia import ZIXIA


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
