"""Which RTT gradients and deviations of monitor intervals mean something, and which are the path's ordinary noise.

Source: Meng et al., PCC Proteus: Scavenger Transport and Beyond, SIGCOMM 2020, section 5; thresholds as in the authors'
code (github.com/PCCproject/PCC-Uspace, commit 30c2cfe, src/pcc/pcc_utility_manager.cpp), which applies them to Vivace's
utility as well.

Deviation: an ACK is judged by the two intervals before it; the authors wait for the ACK after it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from cc.core.least_squares import slope
from cc.core.rtt_trend import RttTrend

BURST_RATIO = 50.0  # an ACK interval so much more uneven than usual: the path held ACKs back
HISTORY_INTERVALS = 6  # kRttHistoryLen
GAIN = 0.1  # kAlpha, of the moving averages
TREND_DEVIATIONS = 2.0  # kInflationToleranceGainHigh and Low
TREND_RESTART_RATIO = 100.0  # kBeta: a trend this much flatter than the flattest begins the statistics anew
FLUCTUATION_DEVIATIONS = 4.0
FLUCTUATION_MIN_S = 0.001  # a deviation below it is never held against a rate
FLUCTUATION_RESTART_SHARE = 0.95  # kTrendingResetIntervalRatio: when nearly all fluctuate, that has become ordinary
NOTHING_S = 1e-12  # below it, statistics of a path begin anew


class AckBurstFilter:
    """Tells RTTs that a held-back ACK has spoilt (Proteus, section 5, "per-ACK" tolerance).

    After an ACK interval much longer or shorter than the one before, no RTT counts until one is below the mean.
    """

    __slots__ = ("_interval_s", "_is_burst", "_last_ack_s", "_mean_ratio")

    def __init__(self) -> None:
        self._last_ack_s: float | None = None
        self._interval_s: float | None = None
        self._mean_ratio: float | None = None
        self._is_burst = False

    def is_reliable(self, *, now_s: float, latest_rtt_s: float, smoothed_rtt_s: float) -> bool:
        """Judge the RTT of an ACK that came now; every ACK must be told."""
        last_ack_s, self._last_ack_s = self._last_ack_s, now_s
        if last_ack_s is None or now_s <= last_ack_s:
            return not self._is_burst
        before_s, self._interval_s = self._interval_s, now_s - last_ack_s
        if before_s is None:
            return True
        ratio = max(before_s / self._interval_s, self._interval_s / before_s)
        mean = ratio if self._mean_ratio is None else self._mean_ratio
        if ratio > BURST_RATIO * mean:
            self._is_burst = True
        elif self._is_burst and latest_rtt_s < smoothed_rtt_s:
            self._is_burst = False
        self._mean_ratio = (1 - GAIN) * mean + GAIN * ratio
        return not self._is_burst


@dataclass(frozen=True, slots=True)
class Judged:
    """What of an interval's RTTs counts in a utility."""

    gradient: float
    deviation_s: float


class _Trend:
    """Whether the mean RTTs of the last intervals rise or fall more than usual."""

    def __init__(self) -> None:
        self._means_s: deque[float] = deque(maxlen=HISTORY_INTERVALS)
        self._average_s = 0.0
        self._deviation_s = 0.0
        self._last_s = 0.0
        self._flattest_s: float | None = None

    def unusual_slope_s(self, mean_s: float) -> float:
        """The RTT gained for each interval if that is unusual, else 0."""
        self._means_s.append(mean_s)
        if len(self._means_s) < HISTORY_INTERVALS:
            return 0.0
        slope_s = slope(list(enumerate(self._means_s)))
        assert slope_s is not None
        flattest_s = self._flattest_s
        if flattest_s is None or flattest_s < NOTHING_S or abs(slope_s) < flattest_s / TREND_RESTART_RATIO:
            self._average_s = 0.0
            self._last_s = slope_s
            self._deviation_s = self._flattest_s = abs(slope_s)
            return 0.0
        self._flattest_s = min(flattest_s, abs(slope_s))
        if abs(slope_s - self._average_s) > TREND_DEVIATIONS * self._deviation_s:
            return slope_s
        self._deviation_s += GAIN * (abs(slope_s - self._last_s) - self._deviation_s)
        self._average_s += GAIN * (slope_s - self._average_s)
        self._last_s = slope_s
        return 0.0


class _Fluctuation:
    """Whether an interval's RTTs fluctuate more than usual."""

    def __init__(self) -> None:
        self._seen_intervals = 0
        self._average_s: float | None = None
        self._deviation_s = 0.0
        self._unusual_share = 0.0

    def is_unusual(self, deviation_s: float) -> bool:
        """Judge an interval's deviation."""
        self._seen_intervals += 1
        if self._seen_intervals < HISTORY_INTERVALS:
            return False
        self._unusual_share *= 1 - GAIN
        average_s = self._average_s
        if average_s is None or average_s < NOTHING_S:
            self._average_s, self._deviation_s = deviation_s, deviation_s / 2
            return False
        is_unusual = (
            deviation_s > average_s + FLUCTUATION_DEVIATIONS * self._deviation_s and deviation_s > FLUCTUATION_MIN_S
        )
        if is_unusual:
            self._unusual_share += GAIN
        else:
            self._deviation_s += GAIN * (abs(deviation_s - average_s) - self._deviation_s)
            self._average_s = average_s + GAIN * (deviation_s - average_s)
        if self._unusual_share > FLUCTUATION_RESTART_SHARE:
            self._average_s = None
            self._unusual_share = 0.0
        return is_unusual


class RttTolerance:
    """Remembers what is ordinary on a path, and judges each measured interval by it."""

    def __init__(self) -> None:
        self._trend = _Trend()
        self._fluctuation = _Fluctuation()

    def judge(self, trend: RttTrend | None) -> Judged:
        """The verdict on the next interval."""
        if trend is None:
            return Judged(0.0, 0.0)
        is_noise = trend.gradient_error >= abs(trend.gradient)
        unusual_slope_s = self._trend.unusual_slope_s(trend.mean_s)
        is_fluctuating = self._fluctuation.is_unusual(trend.deviation_s)
        counts_gradient = not is_noise or unusual_slope_s > 0
        counts_deviation = not is_noise or unusual_slope_s != 0 or is_fluctuating
        return Judged(
            gradient=trend.gradient if counts_gradient else 0.0,
            deviation_s=trend.deviation_s if counts_deviation else 0.0,
        )
