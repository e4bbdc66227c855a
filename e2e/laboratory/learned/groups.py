"""Arms beside each other in the same scenarios: rows, and differences of rewards."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from e2e.laboratory.learned.plays import Played
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.statistics.intervals import LEAST_DELAY_S
from models.evaluation.comparison import difference_text
from models.evaluation.resampling import Interval


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


Cell = Callable[[Row], str]
MEASURED: tuple[tuple[str, Cell], ...] = (
    ("throughput, Mbit/s", lambda row: f"{row.throughput_bits_per_s / 1e6:.2f}"),
    ("utilisation, %", lambda row: f"{100 * row.utilisation:.1f}"),
    ("mean delay, ms", lambda row: f"{1000 * row.queueing_s:.1f}"),
    ("p95 delay, ms", lambda row: "" if row.queueing_p95_s is None else f"{1000 * row.queueing_p95_s:.1f}"),
    ("round trip, ms", lambda row: f"{1000 * row.latency_s:.1f}"),
    ("loss, %", lambda row: f"{100 * row.loss_ratio:.2f}"),
)


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


def group_table(group: Group) -> Table:
    """Every arm of a group that has some."""
    columns: list[tuple[str, Cell]] = [
        ("arm", lambda row: f"{row.name} (on the front)" if row.name in group.front else row.name)
    ]
    if group.differences:
        columns += [("reward", lambda row: f"{row.reward:.4f}"), ("the policy's less it, 95 %", _less(group))]
    columns += MEASURED
    if any(row.share is not None for row in group.rows):
        columns.append(("share beside CUBIC, %", lambda row: "" if row.share is None else f"{100 * row.share:.1f}"))
    title = f"{group.name}: every arm, {group.rows[0].scenarios} episodes"
    header = tuple(name for name, _ in columns)
    return Table(title, header, tuple(tuple(cell(row) for _, cell in columns) for row in group.rows))


def _less(group: Group) -> Cell:
    texts = {each.rival: difference_text(each.interval, 4) for each in group.differences}
    return lambda row: texts.get(row.name, "")
