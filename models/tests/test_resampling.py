"""Intervals of means, and of paired values."""

from __future__ import annotations

import pytest

from models.evaluation.resampling import Interval, difference_of_means, mean_of

SQUARES = [float(value * value) for value in range(10)]
RISING = [float(value) for value in range(1, 11)]


def test_a_mean_lies_within_two_standard_errors() -> None:
    interval = mean_of([2.0] * 10)
    assert (interval.value, interval.low, interval.high) == (2.0, 2.0, 2.0)
    spread = mean_of([float(value) for value in range(100)])
    assert spread.low == pytest.approx(49.5 - 1.96 * 2.887, abs=0.8)  # the standard error of 0..99 is 28.87 / 10
    assert spread.high == pytest.approx(49.5 + 1.96 * 2.887, abs=0.8)


def test_what_is_printed_keeps_its_intervals() -> None:
    # cards and figures were written with these draws
    assert mean_of(SQUARES) == Interval(28.5, 13.3, 45.4, 10, 10, is_resampled=True)
    assert difference_of_means(SQUARES, RISING) == Interval(23.0, 9.6, 38.2, 10, 10, is_resampled=True)


def test_pairs_that_differ_alike_leave_no_doubt() -> None:
    difference = difference_of_means([5.0, 6.0], [3.0, 4.0])
    assert (difference.value, difference.low, difference.high) == (2.0, 2.0, 2.0)


def test_what_lies_on_one_trace_is_drawn_together() -> None:
    # two traces: a quarter of the resamples have the first alone, and as many the second
    together = mean_of([1.0, 1.0, 1.0, 5.0], groups=["a", "a", "a", "b"])
    assert together == Interval(2.0, 1.0, 5.0, samples=4, groups=2, is_resampled=True)
    episodes = [trace + noise for trace in SQUARES for noise in (-0.1, 0.1)]
    by_trace = mean_of(episodes, groups=[trace for trace in SQUARES for _ in range(2)])
    assert (by_trace.low, by_trace.high) == pytest.approx((13.3, 45.4))  # as of one episode each
    alone = mean_of(episodes)
    assert alone.high - alone.low < 0.8 * (by_trace.high - by_trace.low)


def test_a_group_of_each_is_no_group() -> None:
    assert difference_of_means(SQUARES, RISING, groups=range(10)) == difference_of_means(SQUARES, RISING)


def test_a_bootstrap_takes_more_groups_than_students_t() -> None:
    assert [mean_of(SQUARES[:count] * 2).has_enough_groups for count in (5, 6)] == [False, True]
    assert [Interval(1.0, 0.0, 2.0, count, count).has_enough_groups for count in (2, 3)] == [False, True]
