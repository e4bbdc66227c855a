"""What a scatter shows of the plane."""

from __future__ import annotations

import numpy as np
import pytest

from e2e.laboratory.report.frame import Frame, frame_of

NOTHING = np.empty((0, 2))
# 10 to 100 ms: 1 in logarithms; 20 to 24 Mbit/s: 4
POINTS = np.array([[1.0, 20.0], [2.0, 24.0]])


def frame(points: np.ndarray, ellipses: np.ndarray = NOTHING) -> Frame:
    return frame_of(points, ellipses, width=200, height=100)


def test_points_have_a_tenth_of_their_range_around_them_and_more_above() -> None:
    shown = frame(POINTS)
    assert shown.least == pytest.approx((0.9, 19.6))
    assert shown.most == pytest.approx((2.1, 24.48))


def test_the_axis_begins_at_0_where_the_least_is_far_below_the_most() -> None:
    assert frame(np.array([[1.0, 5.0], [2.0, 24.0]])).least[1] == 0


def test_an_ellipse_widens_the_frame_by_no_more_than_half_the_points_range() -> None:
    assert frame(POINTS, np.array([[9.0, 99.0]])).most[0] == pytest.approx(2.5 + 0.15)
    assert frame(POINTS, np.array([[2.2, 24.0]])).most[0] == pytest.approx(2.2 + 0.12)


def test_equal_points_have_a_frame_too() -> None:
    shown = frame(np.array([[1.0, 24.0]]))
    assert shown.least < shown.most
    assert shown.least[1] < shown.most[1]


def test_a_point_has_its_place_in_the_drawing_to_the_right_where_its_delay_is_short() -> None:
    shown = Frame((0, 0), (2, 20), width=200, height=100)
    assert shown.to_pixels(np.array([0.5, 15])).tolist() == [150, 25]
    assert shown.from_pixels(np.array([150, 25])).tolist() == [0.5, 15]
