"""Environments by their names in Gymnasium, without torch."""

from __future__ import annotations

import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from models.environments import environment_id
from models.recipes import RECIPES, recipe
from models.scenarios.scenario import ScenarioDistribution
from models.training import terms
from models.training.environment import BY_RECIPE, CongestionEnv

ROOT = Path(__file__).parents[2]
SHORT_S = 4.0
"""Of the dozen episodes that Gymnasium's checks begin: a reference plays a whole one at the first step."""

pytestmark = pytest.mark.filterwarnings("ignore:.*which are not installed here:UserWarning")


@pytest.mark.parametrize("policy", ["nuwa-rl", "owl-ppo", "bbr-fit"])
@pytest.mark.filterwarnings("ignore:.*not within the observation space.*")
def test_an_environment_is_made_by_its_name_and_passes_gymnasiums_checks(policy: str) -> None:
    env = gymnasium.make(environment_id(policy))
    assert env.spec is not None
    of = recipe(policy)
    short = CongestionEnv(of, distribution=replace(of.practised_scenarios, duration_s=SHORT_S))
    short.spec = env.spec
    assert type(env.unwrapped) is type(short)
    check_env(short, skip_render_check=True)
    first, info = env.reset(seed=7)
    again, _ = env.reset(seed=7)
    assert (first == again).all()
    assert info["scenario"].duration_s > SHORT_S
    env.close()


def test_the_reward_is_less_a_references_unless_told_otherwise() -> None:
    distribution = ScenarioDistribution(duration_s=4.0, traces=("6mbit",))
    rewards, by_recipe = {}, {}
    for paired in (True, False):
        env = CongestionEnv(recipe("nuwa-rl"), distribution=distribution, paired=paired)
        env.reset(seed=3)
        steps = [env.step(0) for _ in range(20)]
        rewards[paired] = [reward for _, reward, *_ in steps]
        by_recipe[paired] = [info[BY_RECIPE] for *_, info in steps]
    assert rewards[False] == by_recipe[False] == by_recipe[True]
    assert rewards[True] != by_recipe[True]


def test_gymnasium_hands_on_that_no_reference_is_wanted() -> None:
    env = gymnasium.make(environment_id("nuwa-rl"), paired=False)
    env.reset(seed=7)
    _, reward, *_, info = env.step(0)
    assert reward == info[BY_RECIPE]
    env.close()


def test_traces_that_are_not_here_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "missing_traces", lambda split: (f"a recording for {split}", "another"))
    sentence = r"bbr-fit .*\(validation\) from the other traces, without a recording for validation, another, which"
    with pytest.warns(UserWarning, match=sentence):
        gymnasium.make(environment_id("bbr-fit"), split="validation").close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gymnasium.make(environment_id("dqn-v1")).close()  # which has links of its own


def test_every_recipe_has_a_name() -> None:
    assert {environment_id(recipe.name) for recipe in RECIPES} <= set(gymnasium.registry)
    assert environment_id("nuwa-rl") == "NuwaStream/nuwa-rl-v0"


def test_neither_names_nor_environments_need_torch() -> None:
    absent = "import sys; sys.modules.update(dict.fromkeys(('torch', 'stable_baselines3', 'sb3_contrib', 'onnx')))"
    code = f"{absent}; import models.environments, models.training.environment"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)
