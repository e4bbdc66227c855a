"""Who leads: domination, pairs and the distance to the omniscient sender, from means over starts.

A scheme dominates another on a link where it has its throughput or more with its p95 delay or less. Throughputs are
means over the starts, delays geometric means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from e2e.laboratory.front.runs import Points
from models.evaluation.resampling import Interval, resampled

ENOUGH_SHARE = 0.99
"""Of a rival's throughput, in a pair."""

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lead:
    """How a scheme stands, over some links."""

    scheme: str
    is_sender: bool
    links: int
    not_dominated: Interval
    """Share of the links on which no sender-side scheme dominates it."""
    pairs: Interval
    """Share of (sender-side scheme, link) with 0.99 of its throughput or more, and less delay."""
    throughput: Interval
    """Of the best scheme's on each link, mean."""
    p95_delay_ms: Interval
    """Geometric mean over links."""
    of_omniscient: Interval
    """Its throughput, mean over links."""
    above_omniscient_ms: Interval
    """By how much its p95 delay is longer, mean over links."""


def leads_of(points: Points, links: Sequence[int] | None = None) -> list[Lead]:
    """Of each scheme over these links, or all; intervals are bootstrapped over starts."""
    chosen = list(range(len(points.links))) if links is None else list(links)
    count = points.throughput_bits_per_s.shape[2]
    return [_lead(points, at, chosen, count) for at in range(len(points.schemes))]


def dominators_of(points: Points, at: int) -> dict[str, int]:
    """The schemes that dominate this one, and on how many links; the worst first."""
    rates, delays = means_of(points, list(range(len(points.links))), range(points.throughput_bits_per_s.shape[2]))
    counts = _dominates(rates, delays, at).sum(axis=1)
    order = sorted(range(len(counts)), key=lambda other: -int(counts[other]))
    return {points.schemes[other]: int(counts[other]) for other in order if counts[other] > 0}


def means_of(points: Points, links: Sequence[int], starts: Sequence[int]) -> tuple[Numbers, Numbers]:
    """Throughput and p95 delay of each scheme over each of the links."""
    rates: Numbers = points.throughput_bits_per_s[:, links][:, :, starts].mean(axis=2)
    delays: Numbers = np.exp(np.log(points.p95_delay_ms[:, links][:, :, starts]).mean(axis=2))
    return rates, delays


def _dominates(rates: Numbers, delays: Numbers, at: int) -> Flags:
    """Schemes x links. Of equals neither dominates; a failed run dominates nothing."""
    with np.errstate(invalid="ignore"):
        found: Flags = (rates >= rates[at]) & (delays <= delays[at]) & ((rates > rates[at]) | (delays < delays[at]))
    return found


def _lead(points: Points, at: int, links: list[int], starts: int) -> Lead:
    senders = np.array([each and other != at for other, each in enumerate(points.is_sender)])

    def interval(of: Callable[[Numbers, Numbers, Sequence[int]], float]) -> Interval:
        known: dict[tuple[int, ...], float] = {}  # of few starts there are few resamples

        def drawn_value(drawn: Sequence[int]) -> float:
            key = tuple(sorted(drawn))
            if key not in known:
                known[key] = of(*means_of(points, links, key), key)
            return known[key]

        return resampled(range(starts), drawn_value)

    def not_dominated(rates: Numbers, delays: Numbers, _drawn: Sequence[int]) -> float:
        return float((~_dominates(rates, delays, at)[senders].any(axis=0)).mean())

    def pairs(rates: Numbers, delays: Numbers, _drawn: Sequence[int]) -> float:
        wins = (rates[at] >= ENOUGH_SHARE * rates[senders]) & (delays[at] < delays[senders])
        return float(wins.mean()) if wins.size else 0.0

    def above(_rates: Numbers, delays: Numbers, drawn: Sequence[int]) -> float:
        least = np.exp(np.log(points.best_delay_ms[links][:, drawn]).mean(axis=1))
        return float((delays[at] - least).mean())

    return Lead(
        points.schemes[at],
        points.is_sender[at],
        len(links),
        interval(not_dominated),
        interval(pairs),
        interval(lambda rates, _delays, _drawn: float((rates[at] / np.nanmax(rates, axis=0)).mean())),
        interval(lambda _rates, delays, _drawn: float(np.exp(np.log(delays[at]).mean()))),
        interval(
            lambda rates, _delays, drawn: float(
                (rates[at] / points.best_throughput_bits_per_s[links][:, drawn].mean(axis=1)).mean()
            )
        ),
        interval(above),
    )
