"""Arms of a matrix of films beside each other: over all links, and in pairs that differ in one choice alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from e2e.laboratory.films.judgement import UNJUDGED, Judgement
from e2e.laboratory.films.rows import PlayedCell, beside_bits_per_s, qoe_log
from e2e.laboratory.films.run import PLACES
from e2e.laboratory.matrix.link_names import trace_of
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_of_groups
from models.groups import LEAST_GROUPS

AXES = ("scheme", "rule", "estimator")
"""Of an arm, in the order of its names."""

Arm = tuple[str, str, str]
"""Scheme with its preset, rule and estimator."""
Meeting = tuple[str, str, int, int]
"""Link, film, seed and player: films of several arms with the same make pairs."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What counts of one film for its viewer."""

    qoe_per_segment: float
    qoe_log_per_segment: float
    stalled_s: float
    stalled_ratio: float
    p95_queueing_delay_s: float | None
    best_qoe_per_segment: float | None = None
    """That no film could exceed; None where it is unknown."""
    judgement: Judgement = UNJUDGED
    beside_bits_per_s: float | None = None
    """Mean of the downloads beside it; None without any."""
    seek_s: float | None = None
    """From a seek to its picture, mean; None without any."""


FilmsOfArms = dict[Arm, dict[Meeting, Seen]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one arm has more than another that differs in one choice alone; intervals as `interval_over` has them."""

    axis: str
    arm: Arm
    instead_of: Arm
    pairs: int
    qoe_per_segment: Interval
    stalled_s: Interval
    qoe_vmaf_per_segment: Interval | None
    """None where not all of them were measured."""


def films_of_arms(cells: Sequence[PlayedCell]) -> FilmsOfArms:
    """In the order of the cells; films that never began are left out."""
    found: FilmsOfArms = {}
    for cell in cells:
        link, *arm = cell.plan.names
        films = found.setdefault((arm[0], arm[1], arm[2]), {})
        seen = _seen(cell)
        if seen is not None:
            films[link, str(cell.plan.folder), cell.plan.seed, cell.player] = seen
    return found


def interval_over(
    values: Mapping[Meeting, float], *, least: float = -math.inf, most: float = math.inf
) -> Interval | None:
    """The mean of traces' means with its 95 % interval, which of less than three says nothing; None of no values.

    Films over one link begin elsewhere in one trace, which comes round within the film: they are no samples of links.
    Neither are links that differ in their settings alone.
    """
    if not values:
        return None
    return mean_of_groups(list(values.values()), [_trace_of(link) for link, *_ in values], least=least, most=most)


def _trace_of(link: str) -> str:
    """A browser's films are over the traces of those in virtual time, whatever their links are called."""
    for place in PLACES:
        link = link.removesuffix(f" ({place})")
    return trace_of(link)


def exchanges(films: FilmsOfArms) -> Iterator[Exchange]:
    """Of all arms that differ in one axis alone and have three pairs at least; by axis."""
    for place, axis in enumerate(AXES):
        for instead_of, arm in combinations(films, 2):
            differs = [first != second for first, second in zip(arm, instead_of, strict=True)]
            if sum(differs) != 1 or not differs[place]:
                continue
            met = sorted(films[arm].keys() & films[instead_of].keys())
            if len(met) < LEAST_GROUPS:
                continue
            pairs = {key: (films[arm][key], films[instead_of][key]) for key in met}
            qoe = interval_over(
                {key: one.qoe_per_segment - other.qoe_per_segment for key, (one, other) in pairs.items()}
            )
            stalled_s = interval_over({key: one.stalled_s - other.stalled_s for key, (one, other) in pairs.items()})
            assert qoe is not None
            assert stalled_s is not None
            yield Exchange(axis, arm, instead_of, len(pairs), qoe, stalled_s, _by_vmaf(pairs))


def _by_vmaf(pairs: Mapping[Meeting, tuple[Seen, Seen]]) -> Interval | None:
    values = {
        key: (one.judgement.qoe_vmaf_per_segment, other.judgement.qoe_vmaf_per_segment)
        for key, (one, other) in pairs.items()
    }
    known = {key: one - other for key, (one, other) in values.items() if one is not None and other is not None}
    return interval_over(known) if len(known) == len(pairs) else None


def _seen(cell: PlayedCell) -> Seen | None:
    film = cell.result.played
    rates = [segment.bits_per_second for segment in film.segments]
    log = qoe_log(rates, film.stalled_s, cell.lowest_bits_per_s)
    if film.qoe is None or log is None:
        return None
    return Seen(
        qoe_per_segment=film.qoe.per_segment,
        qoe_log_per_segment=log,
        stalled_s=film.stalled_s,
        stalled_ratio=film.stalled_s / film.passed_s,
        p95_queueing_delay_s=cell.result.p95_queueing_delay_s,
        best_qoe_per_segment=None if cell.best is None else cell.best.linear.per_segment,
        judgement=cell.judgement,
        beside_bits_per_s=beside_bits_per_s(cell.result),
        seek_s=film.seek_s,
    )
