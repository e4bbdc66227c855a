"""Episodes of several contenders in the same scenarios, and what is kept of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from e2e.laboratory.learned.arms import Arm
from models.recipes import recipe
from models.recipes.recipe import Recipe
from models.scenarios.episode import START, Contender, Episode
from models.scenarios.evaluation import Score, play_out, score
from models.scenarios.routed import RoutedEpisode
from models.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Played:
    """What an arm achieved in one scenario."""

    reward: float
    """By the policy's recipe, or its judge."""
    utilisation: float
    throughput_bits_per_s: float
    """On the wire."""
    queueing_s: float
    """Mean; 0 if nothing left the queue."""
    queueing_p95_s: float
    """Infinite if nothing left the queue."""
    latency_s: float
    """Base round trip and mean queueing delay."""
    loss_ratio: float
    rival_bits_per_s: float | None = None
    """Of the first rival in the same network, where there is one."""


@dataclass(frozen=True, slots=True)
class Play:
    """Some arms, each in all of some scenarios."""

    recipe: str
    """Whose reward counts."""
    arms: tuple[Arm, ...]
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One scenario of a play."""

    recipe: str
    arms: tuple[Arm, ...]
    scenario: Scenario
    policies: Path
    """The folder that they are shipped in."""

    def play(self) -> dict[str, Played]:
        """By the arms' names. Raises PolicyError."""
        judged = recipe(self.recipe)
        if judged.judge is None:
            return {arm.name: _played(judged, arm, self.scenario, self.policies) for arm in self.arms}
        makers = {arm.name: (lambda arm=arm: arm.contender(self.policies)) for arm in self.arms}
        return {name: _of_score(each[0]) for name, each in judged.scores(makers, [self.scenario]).items()}


def play_task(task: Task) -> dict[str, Played]:
    """For pools of processes."""
    return task.play()


def _played(judged: Recipe, arm: Arm, scenario: Scenario, policies: Path) -> Played:
    contender: Contender = arm.contender(policies)
    episode = RoutedEpisode(scenario, contender) if arm.is_routed else Episode(scenario, contender)
    played = _of_score(score(episode, play_out(episode, judged.reward, window_s=judged.window_s)))
    if not scenario.rivals:
        return played
    return replace(played, rival_bits_per_s=8 * episode.outcome_since(START).throughput_bytes_per_s(1))


def _of_score(achieved: Score) -> Played:
    return Played(
        reward=achieved.reward,
        utilisation=achieved.utilisation,
        throughput_bits_per_s=8 * achieved.throughput_bytes_per_s,
        queueing_s=achieved.queueing_delay_s,
        queueing_p95_s=achieved.queueing_p95_s,
        latency_s=achieved.latency_s,
        loss_ratio=achieved.loss_ratio,
    )
