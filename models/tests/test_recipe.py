"""Recipes say nothing that their algorithm does not read."""

from __future__ import annotations

from dataclasses import replace

import pytest

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


def test_a_memory_is_of_an_algorithm_that_keeps_one() -> None:
    with pytest.raises(VariantError, match="policy bbr-fit has a memory, and ppo keeps none: recurrent-ppo, dagger do"):
        replace(BBR_FIT, lstm_units=32)
