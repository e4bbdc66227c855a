"""Times of segments, worked out by hand over two links with two starts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from e2e.laboratory.front.figures import figures_of
from e2e.laboratory.front.segments import MEAN, P95, ratios, segments_table
from e2e.laboratory.front.tables import tables_of
from e2e.laboratory.front.tests.test_lead import points

KUAFU = [[1000.0, 4000.0], [500.0, 500.0]]
CUBIC = [[2000.0, 2000.0], [2000.0, 2000.0]]
"""In ms: beside its own, the first link's geometric mean is as long, the second's a quarter."""
SEGMENTS = replace(
    points(starts=2),
    schemes=("kuafu", "cubic", "copa"),
    segment_mean_ms=np.array([KUAFU, CUBIC, np.full((2, 2), np.nan)]),
    segment_p95_ms=np.array([KUAFU, KUAFU, np.full((2, 2), np.nan)]),
)


def test_a_ratio_is_a_geometric_mean_of_links_and_starts() -> None:
    found = dict(ratios(SEGMENTS, "kuafu", "cubic"))
    assert found[MEAN].value == pytest.approx(0.5)
    assert found[P95].value == pytest.approx(1.0)


def test_a_link_without_segments_of_both_is_left_out() -> None:
    lacking = replace(SEGMENTS, segment_mean_ms=SEGMENTS.segment_mean_ms.copy())
    lacking.segment_mean_ms[1, 0, 1] = np.nan
    assert dict(ratios(lacking, "kuafu", "cubic"))[MEAN].value == pytest.approx(0.25)
    assert dict(ratios(SEGMENTS, "kuafu", "copa")) == {}


def test_the_table_has_each_scheme_beside_the_first() -> None:
    table = tables_of(SEGMENTS)[-1]
    assert table.header[3] == "mean / kuafu's"
    assert table.rows[0] == ("kuafu", "1.00", "1.00", "1.000", "1.000")
    assert table.rows[1] == ("cubic", "2.00", "1.00", "2.000", "1.000")
    assert table.rows[2] == ("copa", "-", "-", "-", "-")


def test_the_leader_is_held_to_its_rivals_times() -> None:
    reached = {figure.what: figure.is_reached for figure in figures_of(SEGMENTS) if "segment" in figure.what}
    assert reached == {
        "kuafu / cubic: time that a segment takes, mean": True,
        "kuafu / cubic: time that a segment takes, 95th percentile": False,
    }


def test_a_transfer_without_end_has_no_segments() -> None:
    assert segments_table(points()) is None
    assert not [figure for figure in figures_of(points()) if "segment" in figure.what]
