"""Plays contenders over scenarios and says what came of it; contenders on the same scenarios are paired."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean
from typing import ClassVar

from models.scenarios.episode import START, Contender, Episode, MakeContender, Outcome
from models.scenarios.scenario import Scenario
from models.scenarios.traces import family_of

WINDOW_S = 0.5
"""Rewards are averaged over windows of one length, whatever a scheme's decisions are: so they compare."""
KEPT = 2000
"""Plays that are remembered: a rival's are the same beside each trained seed."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a contender achieved in one scenario."""

    MEASURES: ClassVar[tuple[str, ...]] = ("utilisation", "latency_s", "queueing_delay_s", "loss_ratio")
    """What is compared besides rewards."""

    trace: str
    reward: float
    utilisation: float
    throughput_bytes_per_s: float
    """On the wire."""
    queueing_delay_s: float
    """Mean; 0 if nothing left the queue."""
    queueing_p95_s: float
    """Infinite if nothing left the queue: nobody ranks behind it."""
    latency_s: float
    """Base round trip and mean queueing delay."""
    loss_ratio: float


Judge = Callable[[Mapping[str, MakeContender], Iterable[Scenario]], Mapping[str, Sequence[Score]]]
"""Scores each of the named contenders in each scenario, in the scenarios' order."""


def play(
    contender: Contender, scenario: Scenario, reward: Callable[[Outcome], float], *, window_s: float = WINDOW_S
) -> Score:
    """One scenario from beginning to end."""
    episode = Episode(scenario, contender)
    return score(episode, play_out(episode, reward, window_s=window_s))


def play_out(episode: Episode, reward: Callable[[Outcome], float], *, window_s: float) -> float:
    """Play an episode to its end; the mean reward of its windows."""
    rewards: list[float] = []
    while not episode.is_over:
        end_s = (len(rewards) + 1) * window_s  # not added up: rounding would make a last window of nothing
        rewards.append(reward(episode.run_until(min(end_s, episode.scenario.duration_s))))
    return fmean(rewards)


def score(episode: Episode, reward: float) -> Score:
    """Of an episode that is over and earned this reward."""
    whole = episode.outcome_since(START)
    delay = whole.queueing_delay()
    queueing_s, p95_s = (0.0, math.inf) if delay is None else (delay.mean_s, delay.p95_s)
    return Score(
        trace=episode.scenario.trace,
        reward=reward,
        utilisation=whole.utilisation,
        throughput_bytes_per_s=whole.throughput_bytes_per_s(),
        queueing_delay_s=queueing_s,
        queueing_p95_s=p95_s,
        latency_s=whole.base_rtt_s + queueing_s,
        loss_ratio=whole.loss_ratio,
    )


def play_all(
    makers: Mapping[str, MakeContender],
    scenarios: Iterable[Scenario],
    reward: Callable[[Outcome], float],
    *,
    window_s: float = WINDOW_S,
) -> dict[str, list[Score]]:
    """Every contender in every scenario, a fresh one each time, so that no memory carries over."""
    scores: dict[str, list[Score]] = {name: [] for name in makers}
    for scenario in scenarios:
        for name, make in makers.items():
            scores[name].append(_played(make, scenario, reward, window_s))
    return scores


@lru_cache(maxsize=KEPT)
def _played(make: MakeContender, scenario: Scenario, reward: Callable[[Outcome], float], window_s: float) -> Score:
    return play(make(), scenario, reward, window_s=window_s)


def by_family(scores: Sequence[Score]) -> dict[str, list[Score]]:
    """Scores by what their traces are like."""
    found: dict[str, list[Score]] = {}
    for score in scores:
        found.setdefault(family_of(score.trace), []).append(score)
    return found
