"""Whom each policy must beat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cc import registry
from cc.registry import SCHEMES, scheme
from e2e.laboratory.learned import arms
from e2e.laboratory.learned.lineup import NUWA_ARMS, rivals, to_beat
from models.policies.folder import POLICIES
from models.recipes import RECIPES, recipe
from models.recipes.recipe import Recipe
from models.scenarios.episode import Contender
from models.scenarios.rival import Rival, by_hand

each_recipe = pytest.mark.parametrize("policy", RECIPES, ids=lambda policy: policy.name)


@each_recipe
def test_whom_it_must_beat_is_among_its_rivals(policy: Recipe) -> None:
    assert set(policy.to_beat) <= {rival.name for rival in policy.rivals}


@each_recipe
def test_whom_it_must_beat_plays(policy: Recipe) -> None:
    assert set(to_beat(policy)) <= {arm.name for arm in rivals(policy, POLICIES)}


def test_nuwa_rl_must_beat_the_k_that_was_best_on_training_traces() -> None:
    assert to_beat(recipe("nuwa-rl")) == ["Nuwa, k = 9"]
    assert to_beat(recipe("nuwa-rl-goodput")) == ["Nuwa, k = 9"]


@each_recipe
def test_what_is_not_shipped_is_no_rival(policy: Recipe, tmp_path: Path) -> None:
    found = rivals(policy, tmp_path)
    assert found
    assert all(arm.policy is None for arm in found)


def test_a_rival_with_a_maker_of_its_own_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Rival("bbr, no gain", lambda: Contender(scheme("bbr")))
    changed = replace(recipe("bbr-fit"), rivals=(own, by_hand("bbr")))
    monkeypatch.setattr(arms, "recipe", {"bbr-fit": changed}.__getitem__)
    its, by_name = rivals(changed, tmp_path)
    assert (its.name, its.policy, by_name.name) == ("bbr, no gain", None, "bbr")
    assert its.contender(POLICIES).scheme.name == "bbr"


def test_every_variant_of_nuwa_rl_meets_all_k_and_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = replace(scheme("nuwa-rl"), name="nuwa-rl-x", policy="nuwa-rl-x")
    monkeypatch.setattr(registry, "SCHEMES", (*SCHEMES, line))
    variant = replace(recipe("nuwa-rl"), name="nuwa-rl-x")
    assert rivals(variant, tmp_path) == NUWA_ARMS
    assert rivals(recipe("nuwa-rl-goodput"), tmp_path) == NUWA_ARMS
    assert [arm.name for arm in rivals(recipe("dqn-v1"), tmp_path)] == ["cubic"]
