"""Runs in which a policy goes on learning, and the same runs with the policy as it serves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import onnx
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from models.evaluation.comparison import learner
from models.policies.policy import PolicyError, load_policy
from models.recipes import RECIPES
from models.recipes.recipe import Recipe
from models.scenarios.episode import START, Contender, Episode, Mark
from models.scenarios.scenario import Scenario
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.export import TOLERANCE, ExportedPolicy, largest_difference
from models.training.online_dqn import MeasuredReward, OnlineDqn, OnlineSettings

PREFIX = "policy.q_net."
SAMPLES = 50
PARTS = 10
"""Of a run, of equal length."""
MakeArm = Callable[[Scenario], Contender]


def q_network(recipe: Recipe, folder: Path) -> torch.nn.Module:
    """Observations to the values of actions, as the policy in `folder` has them; of a recipe of DQN's.

    Raises PolicyError for a policy that cannot serve, or is not of the recipe's network.
    """
    load_policy(recipe.name, folder, space=recipe.space)
    file = folder / f"{recipe.name}.onnx"
    # nothing is stored: who learns on has a memory of its own
    environment = DummyVecEnv([lambda: CongestionEnv(recipe)])
    model = make_model(recipe.with_parameters({"buffer_size": 1}), environment, seed=0)
    network: torch.nn.Module = model.policy.q_net
    own = network.state_dict()
    found = _weights(file)
    if any(name not in own or own[name].shape != weight.shape for name, weight in found.items()):
        raise PolicyError(_other_network(recipe, file))
    network.load_state_dict(found, strict=False)  # ranges are no weights, and those that do nothing are left out
    if largest_difference(ExportedPolicy(model, recipe).eval(), recipe, file, samples=SAMPLES) > TOLERANCE:
        raise PolicyError(_other_network(recipe, file))
    return network


def _weights(file: Path) -> dict[str, torch.Tensor]:
    """By their names in the network; the export keeps those."""
    return {
        weight.name.removeprefix(PREFIX): torch.tensor(onnx.numpy_helper.to_array(weight))
        for weight in onnx.load(file).graph.initializer
        if weight.name.startswith(PREFIX)
    }


def _other_network(recipe: Recipe, file: Path) -> str:
    return f"model {file} is of another network than the recipe {recipe.name} has now: train it anew"


OFF, ON = "off", "on"


class CannotLearnError(ValueError):
    """A policy that does not learn during a run; the message is one sentence that names those that do."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a run, or all of it."""

    reward: float
    """Mean over the recipe's windows."""
    utilisation: float
    loss_ratio: float


Runs = Mapping[str, Sequence[Sequence[Part]]]
"""By arm, each of its runs with the parts in order and the whole run last."""


def learns_on(chosen: Recipe) -> bool:
    """Whether its training can go on during a run."""
    return chosen.algorithm == "dqn" and chosen.online_value is not None


def arms(chosen: Recipe, folder: Path) -> dict[str, MakeArm]:
    """Learning off, and on. Raises CannotLearnError, and PolicyError for a policy that cannot serve."""
    value, discount = chosen.online_value, chosen.parameters.get("gamma")
    if value is None or not learns_on(chosen):
        known = ", ".join(each.name for each in RECIPES if learns_on(each))
        raise CannotLearnError(f"policy {chosen.name} does not learn during a run; those that do: {known}")
    if discount is None:
        raise CannotLearnError(f"recipe {chosen.name} names no gamma, the discount to go on learning with; add it")
    serve = learner(chosen, folder)
    network = q_network(chosen, folder)
    settings = OnlineSettings(discount=discount)

    def learn(scenario: Scenario) -> Contender:
        torch.manual_seed(scenario.seed)  # of dropout
        online = OnlineDqn(network, MeasuredReward(value), seed=scenario.seed, settings=settings)
        return replace(serve(), decide=online.decide)

    return {OFF: lambda _scenario: serve(), ON: learn}


def play(contender: Contender, scenario: Scenario, chosen: Recipe) -> list[Part]:
    """One run: its parts, and the whole."""
    episode = Episode(scenario, contender)
    found: list[Part] = []
    rewards: list[float] = []
    for number in range(1, PARTS + 1):
        mark, before = episode.mark(), len(rewards)
        begin_s, end_s = (scenario.duration_s * each / PARTS for each in (number - 1, number))
        while episode.network.now_s < end_s:
            # not added up: rounding would make a last window of nothing
            window_end_s = begin_s + (len(rewards) - before + 1) * chosen.window_s
            rewards.append(chosen.reward(episode.run_until(min(window_end_s, end_s))))
        found.append(_part(episode, mark, rewards[before:]))
    return [*found, _part(episode, START, rewards)]


def _part(episode: Episode, since: Mark, rewards: Sequence[float]) -> Part:
    outcome = episode.outcome_since(since)
    return Part(fmean(rewards), outcome.utilisation, outcome.loss_ratio)
