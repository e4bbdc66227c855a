"""What films lack of the best that their links allowed, and through what: QoE_lin per segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from e2e.laboratory.films.comparison import Arm
from e2e.laboratory.films.rows import PlayedCell

Names = tuple[str, ...]
"""Link, scheme, rule and estimator."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Less of QoE_lin than the best plan that was found, and its parts; each less than 0 where the film has more."""

    bitrate: float
    changes: float
    stalls: float

    @property
    def total(self) -> float:
        """Of the parts."""
        return self.bitrate + self.changes + self.stalls


def lost(cell: PlayedCell) -> Lost | None:
    """Of one film; None where the best is unknown, or nothing was played."""
    film = cell.result.played
    if cell.best is None or film.qoe is None:
        return None
    best = cell.best.linear
    rates = [segment.bits_per_second / 1e6 for segment in film.segments]
    bitrate = fmean(rates)
    changes = sum(abs(after - before) for before, after in pairwise(rates)) / len(rates)
    stalls = bitrate - changes - film.qoe.per_segment
    best_stalls = best.quality_per_segment - best.changes_per_segment - best.near_per_segment
    return Lost(best.quality_per_segment - bitrate, changes - best.changes_per_segment, stalls - best_stalls)


def lost_by_arm(cells: Sequence[PlayedCell]) -> dict[Arm, Lost]:
    """Means over films; arms without any are left out."""
    found: dict[Arm, list[Lost]] = {}
    for cell in cells:
        its = lost(cell)
        if its is not None:
            _, *arm = cell.plan.names
            found.setdefault((arm[0], arm[1], arm[2]), []).append(its)
    return {
        arm: Lost(
            fmean(one.bitrate for one in its), fmean(one.changes for one in its), fmean(one.stalls for one in its)
        )
        for arm, its in found.items()
    }


def shares_of_best(cells: Sequence[PlayedCell]) -> Mapping[Names, float]:
    """Of each link and arm: QoE_lin of all films over the best's, where both are known and that is above 0."""
    films: dict[Names, list[tuple[float, float]]] = {}
    for cell in cells:
        if cell.best is not None and cell.result.played.qoe is not None:
            pair = (cell.result.played.qoe.per_segment, cell.best.linear.per_segment)
            films.setdefault(cell.plan.names, []).append(pair)
    return {names: share for names, pairs in films.items() if (share := share_of(pairs)) is not None}


def share_of(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Sum of what was reached over the sum of the best; None where the best earns nothing."""
    best = sum(most for _, most in pairs)
    return sum(reached for reached, _ in pairs) / best if best > 0 else None
