"""Whom each policy must beat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cc import registry
from cc.registry import SCHEMES, scheme
from models.figures.player import Player, Settings
from models.figures.rewards import NUWA_ARMS, TO_BEAT, rivals
from models.training.recipe import Recipe
from models.training.recipes import RECIPES, recipe

each_recipe = pytest.mark.parametrize("policy", RECIPES, ids=lambda policy: policy.name)


@pytest.fixture
def player(tmp_path: Path) -> Player:
    """One that finds no policies."""
    return Player(Settings(policies=tmp_path, store=tmp_path))


@each_recipe
def test_every_recipe_has_its_line(policy: Recipe) -> None:
    assert policy.name in TO_BEAT
    assert set(TO_BEAT[policy.name]) <= {rival.name for rival in policy.rivals}


@each_recipe
def test_what_is_not_shipped_is_no_rival(policy: Recipe, player: Player) -> None:
    found = rivals(policy, player)
    assert found
    assert all(arm.policy is None for arm in found)


def test_every_variant_of_nuwa_rl_meets_all_k_and_presets(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    line = replace(scheme("nuwa-rl"), name="nuwa-rl-x", policy="nuwa-rl-x")
    monkeypatch.setattr(registry, "SCHEMES", (*SCHEMES, line))
    variant = replace(recipe("nuwa-rl"), name="nuwa-rl-x", scheme_name="nuwa-rl-x")
    assert rivals(variant, player) == NUWA_ARMS
    assert rivals(recipe("nuwa-rl-goodput"), player) == NUWA_ARMS
    assert [arm.name for arm in rivals(recipe("dqn-v1"), player)] == ["cubic"]
