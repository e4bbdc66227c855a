"""How an arm differs from another whose films began at the same places of the same trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from e2e.laboratory.films.seen import FilmResult
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_interval
from models.groups import LEAST_GROUPS


@dataclass(frozen=True, slots=True)
class Difference:
    """Of means, each with its 95 % interval."""

    qoe_per_segment: Interval
    stalled_s: Interval


Start = tuple[str, int, int]
"""Of a film: its folder, its seed and its player. Films with one start make a pair."""


def paired_difference(films: Mapping[Start, FilmResult], partners: Mapping[Start, FilmResult]) -> Difference | None:
    """`films` less `partners` with the same start; None of less than three pairs that both played."""
    qoe, stalled_s = [], []
    for start in sorted(films.keys() & partners.keys()):
        film, partner = films[start], partners[start]
        if film.played.qoe is not None and partner.played.qoe is not None:
            qoe.append(film.played.qoe.per_segment - partner.played.qoe.per_segment)
            stalled_s.append(film.played.stalled_s - partner.played.stalled_s)
    if len(qoe) < LEAST_GROUPS:
        return None
    qoe_interval, stalled_interval = mean_interval(qoe), mean_interval(stalled_s)
    assert qoe_interval is not None
    assert stalled_interval is not None
    return Difference(qoe_interval, stalled_interval)
