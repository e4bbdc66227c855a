"""What films lack of the best, worked out by hand, and the best of a film that was played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from e2e.laboratory.best_film.find import BestFilm, BestQoe
from e2e.laboratory.films.lost import lost, lost_by_arm, share_of, shares_of_best
from e2e.laboratory.films.messages import Qoe, Segment
from e2e.laboratory.films.rows import PlayedCell
from e2e.laboratory.films.tests.test_films import plan_of
from e2e.laboratory.films.tests.test_summaries import film_of

BEST = BestQoe(per_segment=3.25, near_per_segment=3.0, quality_per_segment=4.0, changes_per_segment=0.5, stalled_s=0.25)


def cell_of(best: BestFilm | None) -> PlayedCell:
    """Of 1 and 3 Mbit/s: 2 a segment, a change of 1 a segment, and 0.25 a segment for stalls."""
    result = film_of(0.75)
    segments = [Segment(0, 1_000_000, 1, 0.0, 1.0), Segment(1, 3_000_000, 1, 1.0, 2.0)]
    played = msgspec.structs.replace(result.played, segments=segments, qoe=Qoe(1.5, 0.75))
    return PlayedCell(plan_of(Path("film")), 1, replace(result, played=played), 1e6, best)


def test_what_is_lacking_has_three_parts() -> None:
    # The best plan has 4 of bitrate (2 more), 0.5 of changes (0.5 less) and 4 - 0.5 - 3 = 0.5 of stalls (0.25 more).
    cell = cell_of(BestFilm(BEST, BEST))
    its = lost(cell)
    assert its is not None
    assert (its.bitrate, its.changes, its.stalls) == pytest.approx((2.0, 0.5, -0.25))
    assert its.total == pytest.approx(3.0 - 0.75)
    assert lost_by_arm([cell, cell_of(None)]) == {("nuwa", "nuwa", "receiver"): its}


def test_a_share_is_of_sums_and_of_the_bound() -> None:
    cell = cell_of(BestFilm(BEST, BEST))
    assert shares_of_best([cell, cell, cell_of(None)]) == {cell.plan.names: pytest.approx(0.75 / 3.25)}
    assert share_of([(1.0, 2.0), (2.0, 4.0)]) == pytest.approx(0.5)
    assert share_of([(-1.0, -0.5)]) is None
