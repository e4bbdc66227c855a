"""Ellipses that hold the mean."""

from __future__ import annotations

import numpy as np
import pytest

from e2e.laboratory.statistics.intervals import confidence_ellipse

# Mean 0, variance of x (4 + 4) / 4 = 2, of y (1 + 1) / 4 = 0.5, covariance 0
POINTS = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.0, 0.0]])
# F(2, 3) at 95 % is 9.552 (tables); T^2 = 4 * 2 / 3 * 9.552 = 25.47; / 5 = 5.094, root 2.257
RADIUS = 2.257


def test_the_radius_is_hotellings() -> None:
    ellipse = confidence_ellipse(POINTS)
    assert ellipse is not None
    assert ellipse.max(axis=0) == pytest.approx([RADIUS * 2**0.5, RADIUS * 0.5**0.5], abs=0.002)
    tilted = confidence_ellipse(POINTS @ np.array([[0.6, 0.8], [-0.8, 0.6]]))
    assert tilted is not None
    assert np.hypot(*tilted.T).max() == pytest.approx(RADIUS * 2**0.5, abs=0.002)


def test_points_on_a_line_give_a_line() -> None:
    line = confidence_ellipse(np.array([[at, 2.0 * at] for at in range(1, 5)]))
    assert line is not None
    assert line[:, 1] == pytest.approx(2 * line[:, 0], abs=1e-6)
    assert np.ptp(line[:, 0]) > 1


def test_equal_points_give_a_point_and_two_are_too_few() -> None:
    point = confidence_ellipse(np.array([[7.0, 9.0]] * 3))
    assert point is not None
    assert np.unique(point, axis=0).tolist() == [[7.0, 9.0]]
    assert confidence_ellipse(POINTS[:2]) is None
