"""Episodes as lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.learned.report import Figure, Reach
from e2e.laboratory.learned.text import line
from models.evaluation.resampling import difference_of_means

SIZE = Figure("model", 1.25, "MB", Reach("at most", 2.0))
THREE = difference_of_means([1.0, 2.0, 6.0], [0.0, 0.0, 0.0])
TWO = difference_of_means([1.0, 2.0], [0.0, 0.0])
HIGHER = Figure("gain", THREE, "Mbit/s", Reach("above", 2.5))


def test_a_figure_says_whether_it_was_reached() -> None:
    assert line(SIZE) == "model: 1.25 MB, to reach: at most 2: reached"
    assert line(replace(SIZE, value=2.5)) == "model: 2.5 MB, to reach: at most 2: missed"
    assert line(replace(SIZE, reach=None)) == "model: 1.25 MB"
    assert line(Figure("model: not shipped", None)) == "model: not shipped"


@pytest.mark.parametrize(
    ("value", "reach", "is_reached"),
    [
        (2.0, Reach("at least", 2.0), True),
        (1.9, Reach("at least", 2.0), False),
        (2.0, Reach("at most", 2.0), True),
        (2.1, Reach("at most", 2.0), False),
        (2.1, Reach("above", 2.0), True),
        (2.0, Reach("above", 2.0), False),
        (None, Reach("at most", 2.0), False),
        (2.0, None, None),
    ],
)
def test_a_boundary_is_within(value: float | None, reach: Reach | None, is_reached: bool | None) -> None:
    assert Figure("", value, reach=reach).is_reached is is_reached


def test_what_has_to_be_sure_is_reached_by_its_lower_end() -> None:
    # One resample in 27 has 1 thrice, and as many 6: both ends of 95 % of them.
    assert line(HIGHER) == "gain: 3 (1 to 6) Mbit/s, to reach: above 2.5: reached"
    sure = replace(HIGHER, has_to_be_sure=True)
    assert line(sure) == "gain: 3 (1 to 6) Mbit/s, surely to reach: above 2.5: missed"


def test_of_fewer_than_three_nothing_is_sure() -> None:
    sure = Figure("gain", TWO, "Mbit/s", Reach("above", 0.5), has_to_be_sure=True)
    assert line(sure) == "gain: 1.5 (of 2) Mbit/s, surely to reach: above 0.5: missed"


def test_fewer_than_three_leave_no_interval() -> None:
    assert line(Figure("gain", TWO, "Mbit/s")) == "gain: 1.5 (of 2) Mbit/s"
    one = difference_of_means([1.0], [0.0])
    assert line(Figure("gain", one, reach=Reach("above", 0.0))) == "gain: 1 (of 1), to reach: above 0: reached"
