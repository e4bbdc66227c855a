"""Episodes of several contenders in the same scenarios, and what is kept of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.figures.arms import Arm
from models.recipes import recipe
from models.recipes.recipe import Recipe
from models.scenarios.arena import Placing, placing
from models.scenarios.episode import START, Contender, Episode
from models.scenarios.evaluation import Score, play_out
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
        scores: Mapping[str, Sequence[Score]] = judged.scores(makers, [self.scenario])
        return {name: _placed(placing(each[0])) for name, each in scores.items()}


def play_task(task: Task) -> dict[str, Played]:
    """For pools of processes."""
    return task.play()


def _played(judged: Recipe, arm: Arm, scenario: Scenario, policies: Path) -> Played:
    contender: Contender = arm.contender(policies)
    episode = RoutedEpisode(scenario, contender) if arm.is_routed else Episode(scenario, contender)
    reward = play_out(episode, judged.reward, window_s=judged.window_s)
    whole = episode.outcome_since(START)
    delay = whole.queueing_delay()
    queueing_s, p95_s = (0.0, 0.0) if delay is None else (delay.mean_s, delay.p95_s)
    return Played(
        reward=reward,
        utilisation=whole.utilisation,
        throughput_bits_per_s=8 * whole.throughput_bytes_per_s(),
        queueing_s=queueing_s,
        queueing_p95_s=p95_s,
        latency_s=whole.base_rtt_s + queueing_s,
        loss_ratio=whole.loss_ratio,
        rival_bits_per_s=8 * whole.throughput_bytes_per_s(1) if scenario.rivals else None,
    )


def _placed(score: Placing) -> Played:
    return Played(
        reward=score.reward,
        utilisation=score.utilisation,
        throughput_bits_per_s=8 * score.throughput_bytes_per_s,
        queueing_s=score.queueing_delay_s,
        queueing_p95_s=score.delay_p95_s,
        latency_s=score.latency_s,
        loss_ratio=score.loss_ratio,
    )
