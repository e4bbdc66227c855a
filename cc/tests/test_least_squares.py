"""The slope of a line through points, by hand."""

from __future__ import annotations

import pytest

from cc.core.least_squares import slope


def test_slope_of_least_squares() -> None:
    assert slope([(0.0, 0.0), (1.0, 2.0), (2.0, 1.0)]) == pytest.approx(0.5)


def test_no_line_goes_through_one_point_or_one_place() -> None:
    assert slope([(1.0, 5.0)]) is None
    assert slope([(1.0, 5.0), (1.0, 6.0)]) is None
