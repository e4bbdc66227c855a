"""Student's t intervals of means, and pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from e2e.laboratory.statistics.intervals import change_of_delays, change_of_means
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_interval, mean_of_groups, ratio_of_groups

Change = Callable[[Sequence[float | None], Sequence[float | None]], Interval | None]


@pytest.mark.parametrize(
    ("samples", "low", "high"),
    [
        ([2, 4, 6], -0.968, 8.968),  # mean 4, standard deviation 2; 4.303 * 2 / sqrt(3) = 4.968
        ([1, 2, 3, 4, 5], 1.037, 4.963),  # mean 3, standard deviation sqrt(2.5); 2.776 * sqrt(2.5 / 5) = 1.963
        ([0, 1], -5.853, 6.853),  # 12.706 * 0.7071 / sqrt(2) = 6.353
        ([4, 4, 4], 4, 4),
    ],
)
def test_an_interval_is_the_mean_and_t_standard_errors_to_each_side(
    samples: list[float], low: float, high: float
) -> None:
    interval = mean_interval(samples)
    assert interval is not None
    assert interval.value == sum(samples) / len(samples)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.001)
    assert interval.samples == len(samples)


def test_an_interval_ends_where_the_quantity_does() -> None:
    positive = mean_interval([2, 4, 6], least=0)
    assert positive is not None
    assert (positive.low, positive.high) == pytest.approx((0, 8.968), abs=0.001)
    share = mean_interval([0.5, 0.9], least=0, most=1)
    assert share is not None
    assert (share.low, share.high) == (0, 1)


def test_one_sample_says_nothing_of_others_and_none_has_no_mean() -> None:
    assert mean_interval([4]) == Interval(4, -math.inf, math.inf, samples=1, groups=1)
    assert mean_interval([4], least=0) == Interval(4, 0, math.inf, samples=1, groups=1)
    assert mean_interval([]) is None


def test_groups_count_once_however_many_samples_they_have() -> None:
    interval = mean_of_groups([1, 3, 4, 6, 6, 6], ["a", "a", "b", "c", "c", "c"])  # 2, 4 and 6
    assert (interval.value, interval.samples, interval.groups) == (4, 6, 3)
    assert (interval.low, interval.high) == pytest.approx((-0.968, 8.968), abs=0.001)
    with pytest.raises(ValueError, match="no samples"):
        mean_of_groups([], [])


def test_a_ratio_of_groups_is_one_of_means_with_the_spread_of_its_residuals() -> None:
    # 2, 4 and 9 over 1, 2 and 2: 15 / 5 = 3. Residuals -1, -2 and 3 over 5 / 3: standard deviation 2.646 * 0.6 = 1.587.
    interval = ratio_of_groups([1, 3, 4, 9], [0, 2, 2, 2], ["a", "a", "b", "c"])
    assert (interval.value, interval.samples, interval.groups) == (3, 4, 3)
    assert interval.high - interval.value == pytest.approx(4.303 * 1.587 / math.sqrt(3), abs=0.002)
    assert interval.value - interval.low == pytest.approx(interval.high - interval.value)
    alike = ratio_of_groups([1.0, 20.0, 300.0], [2.0, 40.0, 600.0], [1, 2, 3])
    assert (alike.value, alike.low, alike.high) == pytest.approx((0.5, 0.5, 0.5))


@pytest.mark.parametrize("count", [3, 5, 10])
def test_of_normal_samples_the_interval_holds_the_true_mean_in_95_of_100_cases(count: int) -> None:
    cases = 4000
    drawn = np.random.default_rng(7).normal(size=(cases, count)).tolist()
    held = 0
    for samples in drawn:
        interval = mean_interval(samples)
        assert interval is not None
        held += interval.low < 0 < interval.high
    # the standard error of the share is sqrt(0.95 * 0.05 / 4000) = 0.0034
    assert held / cases == pytest.approx(0.95, abs=0.011)


@pytest.mark.parametrize("change", [change_of_delays, change_of_means])
def test_exchanging_the_sides_inverts_what_they_differ_by(change: Change) -> None:
    mine, its = [10.0, 40.0, 30.0], [50.0, 10.0, 90.0]
    one, other = change(mine, its), change(its, mine)
    assert one is not None
    assert other is not None
    assert one.value < 0 < other.value
    assert (1 + one.value) * (1 + other.value) == pytest.approx(1)
    alike = change([10, 40], [40, 10])
    assert alike is not None
    assert alike.value == pytest.approx(0)


@pytest.mark.parametrize("change", [change_of_delays, change_of_means])
def test_a_pair_that_lacks_one_is_left_out_and_one_of_nothing_is_not(change: Change) -> None:
    part = change([5, None, 5, 5], [0, 5, 5, None])
    assert part is not None
    assert (part.samples, part.low >= -1) == (2, True)
    assert part.value > 0
    assert change([None], [1]) is None
    with pytest.raises(ValueError, match="shorter"):
        change([1], [])


def test_means_are_compared_with_the_spread_of_their_ratio_and_delays_with_that_of_their_logarithms() -> None:
    more = change_of_means([12, 8, 10], [10, 16, 14])  # 30 of 40
    assert more is not None
    assert more.value == pytest.approx(-0.25)
    assert change_of_means([1], [0]) is None
    longer = change_of_delays([9, 19, 39], [4, 4, 4])  # with the millisecond 2, 4 and 8 times as long
    assert longer is not None
    assert longer.value == pytest.approx(3)
    assert 1 + longer.high == pytest.approx(4 * math.exp(4.303 * math.log(2) / math.sqrt(3)), abs=0.01)
