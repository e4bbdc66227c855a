"""Intervals of paired values."""

from __future__ import annotations

import pytest

from models.figures.resampling import difference_of_means, ratio_of_means


def test_pairs_that_differ_alike_leave_no_doubt() -> None:
    mine, its = [1.0, 20.0, 300.0], [2.0, 40.0, 600.0]
    ratio = ratio_of_means(mine, its)
    assert (ratio.mean, ratio.low, ratio.high) == pytest.approx((0.5, 0.5, 0.5))
    difference = difference_of_means([5.0, 6.0], [3.0, 4.0])
    assert (difference.mean, difference.low, difference.high) == (2.0, 2.0, 2.0)


def test_a_ratio_is_of_means() -> None:
    ratio = ratio_of_means([1.0, 9.0], [1.0, 3.0])
    assert ratio.mean == 2.5  # 10 / 4, not the mean of 1 and 3
    assert (ratio.low, ratio.high) == (1.0, 3.0)  # of two pairs a quarter of the resamples have one alone
