"""Runs in which a policy goes on learning, and the same runs with the policy as it serves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import torch

from cc.sender.dqn import Dqn
from cc.sender.owl import Owl, utility
from models.comparison import learner
from models.scenarios.episode import START, Contender, Episode, Mark
from models.scenarios.scenario import Scenario
from models.training.online_dqn import MeasuredReward, OnlineDqn, OnlineSettings, Value
from models.training.q_network import q_network
from models.training.recipe import Recipe
from models.training.recipes import RECIPES

PARTS = 10
"""Of a run, of equal length."""
OFF, ON = "off", "on"


def delivered(rate: float, _lost: float) -> float:
    """DQN's eq. 6, with the largest rate of late for its limit throughput."""
    return rate


VALUES: Mapping[type, Value] = {Owl: utility, Dqn: delivered}
"""What a learner of these schemes is rewarded for: their recipes' rewards, of what the scheme measures itself."""


class CannotLearnError(ValueError):
    """A policy that does not learn during a run; the message is one sentence that names those that do."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a run, or all of it."""

    reward: float
    """Mean over the recipe's windows."""
    utilisation: float
    loss_ratio: float


MakeArm = Callable[[Scenario], Contender]
Runs = Mapping[str, Sequence[Sequence[Part]]]
"""By arm, each of its runs with the parts in order and the whole run last."""


def value_of(chosen: Recipe) -> Value | None:
    """None for a policy that does not learn during a run."""
    make_sender = chosen.make_sender or chosen.scheme.make_sender
    if chosen.algorithm != "dqn" or not isinstance(make_sender, type):
        return None
    return next((value for kind, value in VALUES.items() if issubclass(make_sender, kind)), None)


def arms(chosen: Recipe, folder: Path) -> dict[str, MakeArm]:
    """Learning off, and on. Raises CannotLearnError, and PolicyError for a policy that cannot serve."""
    value = value_of(chosen)
    if value is None:
        known = ", ".join(each.name for each in RECIPES if value_of(each) is not None)
        raise CannotLearnError(f"policy {chosen.name} does not learn during a run; those that do: {known}")
    serve = learner(chosen, folder)
    network = q_network(chosen, folder)
    settings = OnlineSettings(discount=chosen.parameters["gamma"])

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
        end_s = scenario.duration_s * number / PARTS
        while episode.network.now_s < end_s:
            window = episode.run_until(min(episode.network.now_s + chosen.window_s, end_s))
            rewards.append(chosen.reward(window))
        found.append(_part(episode, mark, rewards[before:]))
    return [*found, _part(episode, START, rewards)]


def _part(episode: Episode, since: Mark, rewards: Sequence[float]) -> Part:
    outcome = episode.outcome_since(since)
    return Part(fmean(rewards), outcome.utilisation, outcome.loss_ratio)
