"""ZiXia's arena: a contender is ranked among rivals that each have the same network to themselves.

Source: ZiXia, section III.A. "The same network condition" is taken for the same trace, delay, loss and queue in a
network of one's own, as the paper's emulated links are (one thread and one mahimahi each). In one shared queue all
flows have the same delay, and its ranking would say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import ClassVar

from cc.registry import scheme
from cc.simulation.record import FlowRecord
from models.scenarios.episode import Contender, Episode, MakeContender
from models.scenarios.evaluation import KEPT, Score, score
from models.scenarios.scenario import Scenario

STEP_S = 1
"""How often rivals' results are taken."""


@dataclass(frozen=True, slots=True)
class Result:
    """What ranks a contender."""

    throughput_bytes_per_s: float
    delay_p95_s: float
    """Of queueing, which ranks as the one-way delay does; infinite if nothing arrived."""


def result(record: FlowRecord, until_s: float) -> Result:
    """From the beginning to `until_s`."""
    delays = record.delays(0.0, until_s)
    throughput = record.wire_bytes(0.0, until_s) / max(until_s, 1e-6)
    return Result(throughput, math.inf if delays is None else delays.p95_s)


def rank(value: float, others: Sequence[float]) -> float:
    """Place among all in ascending order, from 1; equals share the mean of their places."""
    return 1 + sum(other < value for other in others) + sum(other == value for other in others) / 2


def ranking(mine: Result, others: Sequence[Result]) -> tuple[float, float]:
    """Ranks of throughput, where high is good, and of delay, where low is."""
    return (
        rank(mine.throughput_bytes_per_s, [other.throughput_bytes_per_s for other in others]),
        rank(mine.delay_p95_s, [other.delay_p95_s for other in others]),
    )


def ranking_among(
    record: FlowRecord, until_s: float, scenario: Scenario, rivals: tuple[str, ...]
) -> tuple[float, float]:
    """Ranks among these schemes, each alone in the scenario, at the last whole second (the first, before it is over).

    Raises UnknownSchemeError.
    """
    step = max(1, int(min(until_s, scenario.duration_s) / STEP_S))
    return ranking(result(record, step * STEP_S), [results[step - 1] for results in _results(scenario, rivals)])


@lru_cache(maxsize=KEPT)
def _results(scenario: Scenario, rivals: tuple[str, ...]) -> tuple[tuple[Result, ...], ...]:
    steps = range(1, max(1, int(scenario.duration_s / STEP_S)) + 1)
    records = [play_alone(Contender(scheme(name)), scenario).flow.record for name in rivals]
    return tuple(tuple(result(record, step * STEP_S) for step in steps) for record in records)


def play_alone(contender: Contender, scenario: Scenario) -> Episode:
    """From beginning to end."""
    episode = Episode(scenario, contender)
    episode.run_until(scenario.duration_s)
    return episode


@dataclass(frozen=True, slots=True)
class Placing(Score):
    """What a contender achieved in one scenario, and its places there; the reward is that of the ranking."""

    MEASURES: ClassVar[tuple[str, ...]] = (*Score.MEASURES, "throughput_rank", "delay_rank")

    throughput_rank: float
    delay_rank: float


def contest(
    makers: Mapping[str, MakeContender],
    scenarios: Iterable[Scenario],
    ranking_reward: Callable[[float, float], float],
) -> dict[str, list[Placing]]:
    """Every contender ranked among all, in each scenario; `ranking_reward` takes the ranks of throughput and delay."""
    placings: dict[str, list[Placing]] = {name: [] for name in makers}
    for scenario in scenarios:
        played = {name: _played_alone(make, scenario) for name, make in makers.items()}
        for name, (mine, achieved) in played.items():
            ranks = ranking(mine, [other for rival, (other, _) in played.items() if rival != name])
            earned = asdict(replace(achieved, reward=ranking_reward(*ranks)))
            placings[name].append(Placing(**earned, throughput_rank=ranks[0], delay_rank=ranks[1]))
    return placings


@lru_cache(maxsize=KEPT)
def _played_alone(make: MakeContender, scenario: Scenario) -> tuple[Result, Score]:
    """What ranks it, and the score before it is ranked."""
    episode = play_alone(make(), scenario)
    return result(episode.flow.record, scenario.duration_s), score(episode, math.nan)
