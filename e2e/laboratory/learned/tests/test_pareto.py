"""Fronts and gains by hand."""

from __future__ import annotations

import pytest

from e2e.laboratory.studies.k_front import Point, gain_over_front, pareto_front

CALM, MIDDLE, GREEDY = Point(0.010, 4e6), Point(0.020, 6e6), Point(0.060, 10e6)
BEATEN = Point(0.030, 5e6)  # MIDDLE has less delay and more throughput
FIXED = [GREEDY, BEATEN, CALM, MIDDLE]


def test_a_front_has_those_that_nobody_beats() -> None:
    assert pareto_front(FIXED) == [CALM, MIDDLE, GREEDY]
    assert pareto_front([MIDDLE, MIDDLE]) == [MIDDLE]
    assert pareto_front([MIDDLE, Point(0.020, 5e6)]) == [MIDDLE]


@pytest.mark.parametrize(
    ("point", "gain"),
    [
        (Point(0.040, 8e6), 0.0),  # half way from MIDDLE to GREEDY, which have 8 Mbit/s there
        (Point(0.040, 9e6), 0.125),
        (Point(0.015, 4e6), -0.2),  # half way from CALM to MIDDLE: 5 Mbit/s
        (MIDDLE, 0.0),
        (Point(0.065, 9e6), -0.1),  # to the right of all: GREEDY has 10 Mbit/s in less
        (Point(0.080, 10e6), -0.25),  # the same in 60 ms
        (Point(0.080, 9.9999e6), -0.25),  # nor is it better to carry a little less
        (Point(0.080, 10.5e6), 0.05),
        (Point(0.005, 1e6), 0.0),  # nobody has so little delay
        (Point(0.005, 5e6), 0.25),
    ],
)
def test_a_gain_is_over_the_line_between_the_fronts_points(point: Point, gain: float) -> None:
    assert gain_over_front(point, FIXED) == pytest.approx(gain)
