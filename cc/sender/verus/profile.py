"""Verus' delay profile: what delay a packet meets, by how much was in flight when it left (its paper's section 4.1)."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

OLD_SHARE = 7 / 8  # verus_server.cpp, updateUponReceivingPacket
SMOOTHING_PACKETS = 15  # delayProfile_thread: a spline with a knot for every fifteen packets
KNOTS_MAX = 200
EXTRAPOLATION_FACTOR = 2


class DelayProfile:
    """Points that are learned, and a curve through them that is drawn when asked."""

    __slots__ = ("_curve_s", "_delays_s", "_first_packets", "_highest_s")

    def __init__(self) -> None:
        self._delays_s: dict[int, float] = {}
        self._first_packets = 1
        self._curve_s: list[float] = []
        self._highest_s: list[float] = []

    @property
    def has_curve(self) -> bool:
        """Whether a curve has been drawn."""
        return bool(self._curve_s)

    @property
    def largest_packets(self) -> int:
        """The largest window that may be read off the curve."""
        return EXTRAPOLATION_FACTOR * self.last_packets

    @property
    def last_packets(self) -> int:
        """The largest window of which something is known."""
        return self._first_packets + len(self._curve_s) - 1

    def learn(self, window_packets: int, delay_s: float) -> None:
        """A packet that left with so many in flight, itself included, met this delay."""
        known_s = self._delays_s.get(window_packets)
        self._delays_s[window_packets] = delay_s if known_s is None else OLD_SHARE * known_s + (1 - OLD_SHARE) * delay_s

    def forget_from(self, window_packets: int) -> None:
        """Forget all points from this window on, but for the smallest known."""
        smallest = min(self._delays_s, default=0)
        self._delays_s = {
            window: delay_s
            for window, delay_s in self._delays_s.items()
            if window < window_packets or window == smallest
        }

    def draw_curve(self) -> None:
        """Draw the curve through the points known now; without a point there is none."""
        points = sorted(self._delays_s.items())
        if not points:
            self._curve_s = []
        else:
            self._first_packets = points[0][0]
            self._curve_s = _smooth(points)
        self._highest_s = list(accumulate(self._curve_s, max))

    def delay_s(self, window_packets: float) -> float:
        """The curve at this window, with the slope of its end beyond. Needs a curve."""
        position = window_packets - self._first_packets
        if position <= 0:
            return self._curve_s[0]
        if position >= len(self._curve_s) - 1:
            return self._curve_s[-1] + (position - len(self._curve_s) + 1) * self._end_slope_s
        low = int(position)
        return self._curve_s[low] + (position - low) * (self._curve_s[low + 1] - self._curve_s[low])

    def window_packets(self, delay_s: float) -> float:
        """The largest window before the curve first exceeds this delay. Needs a curve."""
        position = bisect_right(self._highest_s, delay_s)
        if position < len(self._curve_s):
            return max(1, self._first_packets + position - 1)
        if self._end_slope_s <= 0:
            return self.largest_packets
        beyond = (delay_s - self._curve_s[-1]) / self._end_slope_s
        return min(self.last_packets + beyond, self.largest_packets)

    @property
    def _end_slope_s(self) -> float:
        return self._curve_s[-1] - self._curve_s[-2] if len(self._curve_s) > 1 else 0.0


def _smooth(points: list[tuple[int, float]]) -> list[float]:
    """The delay at each window from the first point's to the last one's.

    Least squares with a penalty on the second derivative, at knots with straight lines in between.
    """
    first, last = points[0][0], points[-1][0]
    step = max(1, -(-(last - first) // (KNOTS_MAX - 1)))
    knots = -(-(last - first) // step) + 1
    weights = [0.0] * knots
    sums_s = [0.0] * knots
    for window, delay_s in points:
        knot = round((window - first) / step)
        weights[knot] += 1
        sums_s[knot] += delay_s
    if knots < 3:
        values = [sum(sums_s, 0.0) / sum(weights, 0.0)] * knots  # of floats alone, as mypyc wants it
    else:
        values = penalised_least_squares(weights, sums_s, penalty=SMOOTHING_PACKETS**4 / step**3)
    curve = []
    for window in range(last - first + 1):
        knot, offset = divmod(window, step)
        rise_s = values[knot + 1] - values[knot] if offset else 0.0
        curve.append(values[knot] + rise_s * offset / step)
    return curve


def penalised_least_squares(weights: list[float], sums: list[float], *, penalty: float) -> list[float]:
    """z that minimises sum(weights (sums/weights - z)^2) + penalty sum((second differences of z)^2).

    P. Eilers: A perfect smoother, Analytical Chemistry 75(14), 2003: five diagonals, solved by elimination.
    """
    size = len(weights)
    diagonal = [6.0] * size
    diagonal[0] = diagonal[-1] = 1.0
    diagonal[1] = diagonal[-2] = 5.0 if size > 3 else 4.0
    pivots, nexts, seconds, values = [0.0] * size, [0.0] * size, [0.0] * size, [0.0] * size
    for row in range(size):
        beside = -4.0 if 0 < row < size - 2 else -2.0
        pivot = weights[row] + penalty * diagonal[row]
        value = sums[row]
        above = 0.0
        if row >= 1:
            pivot -= nexts[row - 1] ** 2 * pivots[row - 1]
            value -= nexts[row - 1] * values[row - 1]
            above = pivots[row - 1] * nexts[row - 1] * seconds[row - 1]
        if row >= 2:
            pivot -= seconds[row - 2] ** 2 * pivots[row - 2]
            value -= seconds[row - 2] * values[row - 2]
        pivots[row], values[row] = pivot, value
        if row < size - 1:
            nexts[row] = (penalty * beside - above) / pivot
        if row < size - 2:
            seconds[row] = penalty / pivot
    for row in range(size - 1, -1, -1):
        value = values[row] / pivots[row]
        if row < size - 1:
            value -= nexts[row] * values[row + 1]
        if row < size - 2:
            value -= seconds[row] * values[row + 2]
        values[row] = value
    return values
