"""Who leads: domination, pairs and the distance to the omniscient sender, from means over starts.

A scheme dominates another on a link where it has its throughput or more with its p95 delay or less. Throughputs are
means over the starts, delays geometric means.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from e2e.laboratory.front.runs import Points
from e2e.laboratory.statistics.intervals import exp, proportion
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_of_groups

ENOUGH_SHARE = 0.99
"""Of a rival's throughput, in a pair."""

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lead:
    """How a scheme stands, over some links; NaN where a run of its failed."""

    scheme: str
    is_sender: bool
    links: int
    not_dominated: Interval
    """Share of the links on which no sender-side scheme dominates it."""
    pairs: Interval
    """Share of (sender-side scheme, link) with 0.99 of its throughput or more, and less delay; of those that ran."""
    throughput: Interval
    """Of the best scheme's on each link, mean."""
    p95_delay_ms: Interval
    """Geometric mean over links."""
    of_omniscient: Interval
    """Its throughput, mean over links."""
    above_omniscient_ms: Interval
    """By how much its p95 delay is longer, mean over links."""


def leads_of(points: Points, links: Sequence[int] | None = None) -> list[Lead]:
    """Of each scheme over these links, or all.

    Intervals are over links: starts of one trace have much of it in common, and are no repeats.
    """
    chosen = list(range(len(points.links))) if links is None else list(links)
    return [_lead(points, at, chosen) for at in range(len(points.schemes))]


def dominators_of(points: Points, at: int) -> dict[str, int]:
    """The schemes that dominate this one, and on how many links; the worst first."""
    rates, delays = means_of(points, range(len(points.links)))
    counts = _dominates(rates, delays, at).sum(axis=1)
    order = sorted(range(len(counts)), key=lambda other: -int(counts[other]))
    return {points.schemes[other]: int(counts[other]) for other in order if counts[other] > 0}


def means_of(points: Points, links: Sequence[int]) -> tuple[Numbers, Numbers]:
    """Throughput and p95 delay of each scheme over each of the links."""
    rates: Numbers = points.throughput_bits_per_s[:, links].mean(axis=2)
    return rates, _geometric_mean(points.p95_delay_ms[:, links])


def shares_of_best(rates: Numbers) -> Numbers:
    """Of the best scheme's on each link; NaN where a run failed, or nobody had any."""
    with np.errstate(invalid="ignore"):
        shares: Numbers = rates / np.fmax.reduce(rates, axis=0)
    return shares


def _dominates(rates: Numbers, delays: Numbers, at: int) -> Flags:
    """Schemes x links. Of equals neither dominates; a failed run dominates nothing."""
    with np.errstate(invalid="ignore"):
        found: Flags = (rates >= rates[at]) & (delays <= delays[at]) & ((rates > rates[at]) | (delays < delays[at]))
    return found


def _lead(points: Points, at: int, links: list[int]) -> Lead:
    rates, delays = means_of(points, links)
    best_rates = points.best_throughput_bits_per_s[links].mean(axis=1)
    best_delays = _geometric_mean(points.best_delay_ms[links])
    senders = np.array([each and other != at for other, each in enumerate(points.is_sender)])
    has_run = ~(np.isnan(rates[senders]) | np.isnan(delays[senders]))
    wins = has_run & (rates[at] >= ENOUGH_SHARE * rates[senders]) & (delays[at] < delays[senders])
    won = wins.sum(axis=0) / np.maximum(1, has_run.sum(axis=0))
    with np.errstate(invalid="ignore"):  # where nothing came through for anybody
        of_best = rates[at] / best_rates
    has_failed = np.isnan(rates[at]) | np.isnan(delays[at])
    has_pairs = has_run.any(axis=0) | ~has_run.any()  # no rival anywhere: none is won, on every link
    is_dominated = _dominates(rates, delays, at)[senders].any(axis=0)
    return Lead(
        points.schemes[at],
        points.is_sender[at],
        len(links),
        not_dominated=_share_of_links(np.where(has_failed, np.nan, ~is_dominated)),
        pairs=_share_of_links(np.where(has_failed, np.nan, won)[has_pairs | has_failed]),
        throughput=_over_links(shares_of_best(rates)[at], least=0, most=1),
        p95_delay_ms=exp(_over_links(np.log(delays[at]))),
        of_omniscient=_over_links(of_best, least=0),
        above_omniscient_ms=_over_links(delays[at] - best_delays),
    )


def _share_of_links(values: Numbers) -> Interval:
    """Of what a link has or has not; links that have part of it tell by Student's t how far they lie apart."""
    if ((values != 0) & (values != 1)).any():
        return _over_links(values, least=0, most=1)
    return proportion(float(values.sum()), len(values))


def _over_links(values: Numbers, *, least: float = -math.inf, most: float = math.inf) -> Interval:
    if np.isnan(values).any():
        return Interval(math.nan, math.nan, math.nan, len(values), len(values))
    return mean_of_groups([float(value) for value in values], range(len(values)), least=least, most=most)


def _geometric_mean(delays_ms: Numbers) -> Numbers:
    """Over the last axis."""
    means: Numbers = np.exp(np.log(delays_ms).mean(axis=-1))
    return means
