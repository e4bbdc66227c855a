"""How an arm differs from another whose films began at the same places of the same trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Self

from e2e.laboratory.films.seen import FilmResult
from models.groups import LEAST_GROUPS


@dataclass(frozen=True, slots=True)
class Spread:
    """Of some numbers."""

    mean: float
    least: float
    most: float

    @classmethod
    def over(cls, values: Sequence[float]) -> Self:
        """Of one value at least."""
        return cls(fmean(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Difference:
    """Over places of one trace, which are no samples of links: an interval would promise what they cannot hold."""

    qoe_per_segment: Spread
    stalled_s: Spread


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
    return Difference(Spread.over(qoe), Spread.over(stalled_s))
