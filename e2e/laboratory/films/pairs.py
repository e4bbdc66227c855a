"""How an arm differs from another whose films began at the same places of the same trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from e2e.laboratory.films.run import FilmResult
from models.evaluation.resampling import LEAST_GROUPS, Interval
from models.evaluation.student import mean_interval


@dataclass(frozen=True, slots=True)
class Difference:
    """Of means, each with its 95 % interval."""

    qoe_per_segment: Interval
    stalled_s: Interval


def paired_difference(films: Sequence[FilmResult], partners: Sequence[FilmResult]) -> Difference | None:
    """`films` less `partners`, in the order of their starts; None of less than three pairs that both played.

    Raises ValueError where they make no pairs.
    """
    qoe, stalled_s = [], []
    for film, partner in zip(films, partners, strict=True):
        if film.played.qoe is not None and partner.played.qoe is not None:
            qoe.append(film.played.qoe.per_segment - partner.played.qoe.per_segment)
            stalled_s.append(film.played.stalled_s - partner.played.stalled_s)
    if len(qoe) < LEAST_GROUPS:
        return None
    qoe_interval, stalled_interval = mean_interval(qoe), mean_interval(stalled_s)
    assert qoe_interval is not None
    assert stalled_interval is not None
    return Difference(qoe_interval, stalled_interval)
