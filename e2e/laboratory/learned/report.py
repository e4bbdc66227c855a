"""What a part of the figures says: rows beside each other, differences, and figures to be reached."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from e2e.laboratory.learned.plays import Played
from models.evaluation.resampling import LEAST_GROUPS, Interval

Comparison = Literal["at least", "at most", "above"]


@dataclass(frozen=True, slots=True)
class Reach:
    """What is to be reached."""

    comparison: Comparison
    value: float

    def is_met_by(self, value: float) -> bool:
        """Whether it is reached by this value."""
        if self.comparison == "at least":
            return value >= self.value
        if self.comparison == "at most":
            return value <= self.value
        return value > self.value


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, as the benches of e2e/ have it."""

    what: str
    value: float | Interval | None
    """With where it lies with 95 % confidence, where that is known; None where nothing was measured."""
    unit: str = ""
    reach: Reach | None = None
    has_to_be_sure: bool = False
    """Whether the interval's lower end is what has to reach it, and the interval is one of enough groups."""

    @property
    def is_reached(self) -> bool | None:
        """None where nothing is to be reached; what was not measured has not reached it."""
        if self.reach is None:
            return None
        value = self.value
        if isinstance(value, Interval):
            if self.has_to_be_sure and value.groups < LEAST_GROUPS:
                return False
            value = value.low if self.has_to_be_sure else value.value
        return value is not None and self.reach.is_met_by(value)


@dataclass(frozen=True, slots=True)
class Row:
    """An arm's means over a group's scenarios."""

    name: str
    is_policy: bool
    """Whether it is the policy that the group is about."""
    scenarios: int
    reward: float
    utilisation: float
    throughput_bits_per_s: float
    queueing_s: float
    queueing_p95_s: float | None
    """`typical_s`; None where in some scenario nothing arrived."""
    latency_s: float
    """Base round trip and mean queueing delay."""
    loss_ratio: float
    share: float | None
    """Of what it and the rival in its network carried."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A policy's reward less a rival's in the same scenarios."""

    policy: str
    rival: str
    interval: Interval
    is_to_be_beaten: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Arms in the same scenarios."""

    name: str
    rows: tuple[Row, ...]
    """Empty where the policy is not shipped, or none of the group's scenarios were played."""
    differences: tuple[Difference, ...] = ()
    note: str = ""
    reward: str = ""
    """What it is, in words and symbols; empty where it says nothing here."""
    front: tuple[str, ...] = ()
    """Rows on the Pareto front of those that are no policy, where there is one."""
    known_ratio: float | None = None
    """Of the network's switches, where that is what sets the groups apart."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a part found."""

    groups: tuple[Group, ...]
    figures: tuple[Figure, ...]


def joined(*parts: Findings) -> Findings:
    """One after the other."""
    return Findings(
        tuple(group for part in parts for group in part.groups),
        tuple(figure for part in parts for figure in part.figures),
    )


NOT_SHIPPED = "not shipped"


def not_shipped(title: str, what: str) -> Findings:
    """Of a policy that is not shipped, and what would have been measured."""
    return Findings((Group(title, (), note=NOT_SHIPPED),), (Figure(f"{title}, {what}: {NOT_SHIPPED}", None),))


def not_of(split: str, title: str) -> Findings:
    """Of a part whose links are for tests, where another split was asked for: nothing is to be chosen on them."""
    note = f"its links are for tests, and not of the {split} split"
    return Findings((Group(title, (), note=note),), (Figure(f"{title}: {note}", None),))


LEAST_DELAY_S = 0.001
"""Is added to delays before their logarithms are taken."""


def typical_s(delays_s: Sequence[float]) -> float:
    """Their geometric mean.

    Where an outage falls just into or out of the 95th percentile it is 14 s or 0.2 s, and of forty episodes this one
    would decide about the arithmetic mean.
    """
    return math.exp(fmean(math.log(delay_s + LEAST_DELAY_S) for delay_s in delays_s)) - LEAST_DELAY_S


def row(name: str, played: Sequence[Played], *, is_policy: bool = False) -> Row:
    """Means; None of a share where nobody else was there."""
    rivals = [each.rival_bits_per_s for each in played if each.rival_bits_per_s is not None]
    share = None
    if len(rivals) == len(played):
        share = fmean(
            each.throughput_bits_per_s / (each.throughput_bits_per_s + rival)
            for each, rival in zip(played, rivals, strict=True)
        )
    p95_s = typical_s([each.queueing_p95_s for each in played])
    return Row(
        name=name,
        is_policy=is_policy,
        scenarios=len(played),
        reward=fmean(each.reward for each in played),
        utilisation=fmean(each.utilisation for each in played),
        throughput_bits_per_s=fmean(each.throughput_bits_per_s for each in played),
        queueing_s=fmean(each.queueing_s for each in played),
        queueing_p95_s=p95_s if math.isfinite(p95_s) else None,
        latency_s=fmean(each.latency_s for each in played),
        loss_ratio=fmean(each.loss_ratio for each in played),
        share=share,
    )
