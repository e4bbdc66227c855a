"""Environments: Gymnasium's own checks, the same again from the same seed, and the scheme that serves inside."""

from __future__ import annotations

import random
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium.error import InvalidAction
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_env_for_training

from cc.core.base import SenderScheme
from cc.registry import scheme
from models.recipes import RECIPES, UnknownRecipeError, recipe
from models.recipes.recipe import Recipe, VariantError
from models.scenarios.scenario import Scenario, ScenarioDistribution
from models.training.environment import Action, CongestionEnv, NoDecisionError, scheme_action

SHORT = ScenarioDistribution(duration_s=4.0, traces=("6mbit",))
each_recipe = pytest.mark.parametrize("chosen", RECIPES, ids=lambda chosen: chosen.name)


def rollout(env: CongestionEnv, seed: int) -> tuple[list[Any], list[float], bool]:
    observations, rewards = [env.reset(seed=seed)[0]], []
    env.action_space.seed(seed)
    is_cut = False
    while not is_cut:
        observation, reward, is_over, is_cut, _ = env.step(env.action_space.sample())
        assert not is_over  # truncation is not termination
        observations.append(observation)
        rewards.append(reward)
    return observations, rewards, is_cut


@each_recipe
def test_passes_gymnasiums_and_stable_baselines_checks(chosen: Recipe) -> None:
    env = CongestionEnv(chosen, distribution=replace(chosen.scenarios, duration_s=4.0, traces=("6mbit",)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
        check_env_for_training(env)


@each_recipe
def test_a_seed_gives_the_same_episode_again(chosen: Recipe) -> None:
    first, again, other = (
        rollout(CongestionEnv(chosen, distribution=replace(chosen.scenarios, duration_s=4.0, traces=("6mbit",))), seed)
        for seed in (3, 3, 4)
    )
    assert first[1] == again[1]
    assert all((a == b).all() for a, b in zip(first[0], again[0], strict=True))
    assert first[1] != other[1]


@each_recipe
def test_every_decision_is_answered_in_time(chosen: Recipe) -> None:
    env = CongestionEnv(chosen, distribution=SHORT)
    _, rewards, _ = rollout(env, 1)
    assert env.episode is not None
    assert env.episode.flow.learned is not None
    decisions = env.episode.flow.learned.decisions
    assert decisions.decided == len(rewards) > 10
    assert decisions.late == decisions.failed == 0
    assert np.isfinite(rewards).all()


def test_a_given_scenario_is_played() -> None:
    env = CongestionEnv(recipe("bbr-fit"))
    scenario = Scenario("8mbit", base_rtt_s=0.05, queue_packets=50, duration_s=3.0, rivals=("cubic", "bbr"))
    _, info = env.reset(seed=1, options={"scenario": scenario})
    assert info["scenario"] is scenario
    assert env.episode is not None
    assert [flow.plan.name for flow in env.episode.network.flows] == ["bbr-fit", "cubic", "bbr"]
    is_cut = False
    while not is_cut:
        *_, is_cut, info = env.step(np.zeros(1, np.float32))
    assert 0.05 < info["utilisation"] < 1.0
    assert 3.0 <= env.episode.network.now_s < 3.5


@pytest.mark.parametrize(("action", "expected"), [(-1.0, -10.0), (0.0, 0.0), (0.5, 5.0), (7.0, 10.0)])
def test_a_continuous_action_spans_the_range(action: float, expected: float) -> None:
    assert scheme_action(recipe("bbr-fit"), np.array([action], np.float32)) == expected


@pytest.mark.parametrize(
    ("policy", "action", "sentence"),
    [
        ("bbr-fit", np.array([np.nan], np.float32), "action nan of bbr-fit is no number: give one from -1 to 1"),
        ("nuwa-rl", 5, "action 5 of nuwa-rl is none: give one from 0 to 4"),
        ("nuwa-rl", -1, "action -1 of nuwa-rl is none: give one from 0 to 4"),
    ],
)
def test_what_is_no_action_is_refused_and_not_answered_by_the_heuristic(
    policy: str, action: Action, sentence: str
) -> None:
    env = CongestionEnv(recipe(policy), distribution=SHORT)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match=sentence):
        env.step(action)


def test_a_history_of_another_length() -> None:
    short = recipe("bbr-fit").with_history(2)
    env = CongestionEnv(short, distribution=SHORT)
    observation, _ = env.reset(seed=1)
    assert observation.shape == (6,)
    assert env.step(np.zeros(1, np.float32))[0].shape == (6,)
    with pytest.raises(VariantError, match="policy bbr-fit cannot have a history of 0"):
        recipe("bbr-fit").with_history(0)


def silent(*, max_datagram_bytes: int, rng: random.Random) -> SenderScheme:
    return scheme("cubic").make_sender(max_datagram_bytes=max_datagram_bytes, rng=rng)


def test_a_scheme_that_asks_nothing_is_named() -> None:
    bbr_fit = recipe("bbr-fit")
    env = CongestionEnv(replace(bbr_fit, make_sender=silent, variant_space=bbr_fit.space), distribution=SHORT)
    message = r"scheme bbr-fit asked for no decision in {} Scenario\(.*\): it must end intervals"
    with pytest.raises(NoDecisionError, match=message.format("20 scenarios in a row, the last of them")):
        env.reset(seed=1)
    scenario = Scenario("8mbit", base_rtt_s=0.05, queue_packets=50, duration_s=1.0)
    with pytest.raises(NoDecisionError, match=message.format("the scenario")):
        env.reset(options={"scenario": scenario})


def test_an_unknown_policy_names_those_there_are() -> None:
    with pytest.raises(UnknownRecipeError, match=r"policy 'bbr' is unknown: did you mean bbr-fit\?"):
        recipe("bbr")
