"""What of RTT gradients and deviations counts, against numbers worked by hand."""

from __future__ import annotations

import pytest

from cc.core.rtt_tolerance import AckBurstFilter, Judged, RttTolerance
from cc.core.rtt_trend import RttTrend

NOISE = 0.9  # an error that no gradient here exceeds


def trend(mean_ms: float, *, gradient: float = 0.02, error: float = NOISE, deviation_ms: float = 0.5) -> RttTrend:
    return RttTrend(mean_s=mean_ms / 1e3, gradient=gradient, gradient_error=error, deviation_s=deviation_ms / 1e3)


def ordinary_path() -> RttTolerance:
    """Mean RTTs of 40, 41, 40, 41 ... ms: slopes of +- 0.0857 ms an interval once there are six."""
    tolerance = RttTolerance()
    for index in range(20):
        assert tolerance.judge(trend(40 + index % 2)) == Judged(0.0, 0.0)
    return tolerance


def test_a_gradient_counts_when_it_is_larger_than_the_error_of_its_regression() -> None:
    tolerance = RttTolerance()
    assert tolerance.judge(trend(40, gradient=0.02, error=0.02)) == Judged(0.0, 0.0)
    assert tolerance.judge(trend(40, gradient=0.03, error=0.02)).gradient == 0.03
    assert tolerance.judge(trend(40, gradient=-0.03, error=0.02)) == Judged(-0.03, 0.0005)
    assert tolerance.judge(None) == Judged(0.0, 0.0)


def test_a_rise_over_several_intervals_counts_even_where_each_is_noise() -> None:
    tolerance = ordinary_path()
    # 40, 41, 40, 41, 40 and then 44 ms: slope ((-2.5 - 0.5) 40 + (-1.5 + 0.5) 41 ... ) = 0.5143 ms an interval,
    # far outside 0 +- 2 x 0.17 ms.
    judged = tolerance.judge(trend(44))
    assert judged == Judged(0.02, 0.0005)


def test_a_fall_over_several_intervals_is_no_rise_but_not_ordinary_either() -> None:
    tolerance = ordinary_path()
    judged = tolerance.judge(trend(36))
    assert judged == Judged(0.0, 0.0005)


def test_a_path_without_any_noise_begins_its_statistics_anew() -> None:
    tolerance = RttTolerance()
    for _ in range(10):
        assert tolerance.judge(trend(40)).gradient == 0.0
    assert tolerance.judge(trend(41)).gradient == 0.0  # nothing was known: this becomes ordinary


def test_an_unusual_deviation_counts() -> None:
    tolerance = ordinary_path()
    # Deviations of 0.5 ms on average, whose own mean deviation has shrunk from 0.25 ms by 0.9 each of 14 times: 0.057.
    assert tolerance.judge(trend(40, deviation_ms=0.9)) == Judged(0.0, 0.0)  # unusual, but below 1 ms
    assert tolerance.judge(trend(41, deviation_ms=1.5)) == Judged(0.0, 0.0015)


def test_when_nearly_every_interval_fluctuates_that_becomes_ordinary() -> None:
    tolerance = ordinary_path()
    counted = [tolerance.judge(trend(40 + index % 2, deviation_ms=5)).deviation_s > 0 for index in range(60)]
    # The share of unusual ones is 1 - 0.9^n, above 0.95 from the 29th on (0.9^29 = 0.047); the 30th is the new average.
    assert counted == [True] * 29 + [False] * 31


def test_slope_of_the_last_six_means() -> None:
    tolerance = RttTolerance()
    for mean_ms in (40, 41, 40, 41, 40, 41):
        tolerance.judge(trend(mean_ms))
    # Times from their mean -2.5 ... 2.5; sum of products 1.5, of squares 17.5: 0.0857 ms an interval, both the average
    # slope's deviation and the flattest seen. A seventh of 40: slope -0.0857, inside 0 +- 0.1714.
    assert tolerance.judge(trend(40)).gradient == 0.0
    # -1.5 and 41: deviation 0.0857 + 0.1 (0.1714 - 0.0857) = 0.0943, average -0.0086. Then 43: products of
    # 41, 40, 41, 40, 43 after 40: slope (1.5 + 2.5 x 2) / 17.5 = 0.371, outside.
    assert tolerance.judge(trend(43)).gradient == pytest.approx(0.02)


def test_after_a_held_back_ack_rtts_count_again_when_one_is_below_the_mean() -> None:
    burst = AckBurstFilter()

    def is_reliable(now_s: float, rtt_s: float) -> bool:
        return burst.is_reliable(now_s=now_s, latest_rtt_s=rtt_s, smoothed_rtt_s=0.04)

    assert [is_reliable(0.001 * count, 0.05) for count in range(6)] == [True] * 6  # an ACK each ms: ratios of 1
    assert is_reliable(0.054, 0.05)  # 49 ms after the last
    assert not is_reliable(0.054_1, 0.05)  # then 0.1 ms: a ratio of 490, more than 50 times the mean of 5.8
    assert not is_reliable(0.055, 0.05)
    assert is_reliable(0.056, 0.03)
    assert is_reliable(0.057, 0.05)


def test_an_ack_that_comes_with_another_does_not_count_as_a_burst() -> None:
    burst = AckBurstFilter()
    times_s = [0.0, 0.001, 0.001, 0.002, 0.003]
    assert all(burst.is_reliable(now_s=time_s, latest_rtt_s=0.05, smoothed_rtt_s=0.04) for time_s in times_s)
