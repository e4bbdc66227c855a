"""What Sprout believes of the link: how likely each of 256 rates is, how they wander, and what follows for 100 ms.

Source: the paper's section 3. A link delivers packets as a Poisson process (3.1) whose rate moves as a Brownian
motion of 200 packets/s per square root of a second, from 0 to 1000 packets/s. A rate of 0 is an outage, which lasts:
it ends with a rate of 1 per second. Each tick the belief is moved on, and weighed by how likely each rate makes what
was delivered (3.2). The forecast is the 5th percentile of what the next ticks deliver (3.3).

Deviation: over the ticks of a forecast the rate is taken for its mean over them, of which the Brownian motion gives
the variance; the authors add up tick by tick, for each rate, before they start. The percentile is the same to a
packet.

A tick would take a millisecond in Python's own lists, and clients may ask for fifty a second: arrays are numpy's.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BINS = 256
LARGEST_RATE = 1000.0  # packets per second
RATE_PER_BIN = LARGEST_RATE / (BINS - 1)
WANDERING = 200.0  # sigma, packets per second per square root of a second
OUTAGE_ENDS_PER_S = 1.0  # lambda_z
QUANTILE = 0.05
KERNEL_DEVIATIONS = 4.0  # beyond, a Gaussian is taken for nothing
NEGLIGIBLE = 1e-17  # of a sum

RATES = [index * RATE_PER_BIN for index in range(BINS)]

ByRate = NDArray[np.float64]
"""A number for each rate."""


class Belief:
    """Probabilities of the rates, after ticks of one length."""

    def __init__(self, tick_s: float) -> None:
        self._tick_s = tick_s
        self._probabilities: ByRate = np.full(BINS, 1 / BINS)  # section 3.2: at first all rates are as likely
        self._expected: ByRate = np.array(RATES[1:]) * tick_s
        """Packets in a tick, for each rate that is no outage."""
        self._logs: ByRate = np.log(self._expected)

    @property
    def mean_rate(self) -> float:
        """Packets per second."""
        return float(self._probabilities @ np.array(RATES))

    @property
    def outage_probability(self) -> float:
        """Probability of the rate 0."""
        return float(self._probabilities[0])

    def evolve(self, ticks: int = 1) -> None:
        """Let the rate wander for so long."""
        duration_s = ticks * self._tick_s
        stays = math.exp(-OUTAGE_ENDS_PER_S * duration_s)
        old = self._probabilities
        deviation = WANDERING * math.sqrt(duration_s)
        reach = _reach(deviation)
        wandering = old.copy()
        wandering[0] *= 1 - stays
        wide = np.convolve(wandering, _kernel(deviation))  # bins beyond both ends belong to the ends
        new = wide[reach : reach + BINS].copy()
        new[0] += wide[:reach].sum() + old[0] * stays
        new[-1] += wide[reach + BINS :].sum()
        self._probabilities = new

    def observe(self, packets: float) -> None:
        """A tick delivered so many packets, which need not be whole, and could have delivered no more."""
        logs = packets * self._logs - self._expected
        outage, largest = (0.0, logs.max()) if packets > 0 else (1.0, 0.0)
        self._weigh(np.concatenate(([outage], np.exp(logs - largest))))

    def observe_at_least(self, packets: int) -> None:
        """A tick delivered so many packets, and nobody knows what more it would have."""
        if packets > 0:
            self._weigh(_at_least(packets, self._tick_s))

    def forecast_packets(self, ticks: int) -> int:
        """What the next ticks deliver at least, with a probability of 95 %."""
        low, high = 0, int(1.5 * LARGEST_RATE * ticks * self._tick_s) + 8
        while low < high:
            middle = (low + high) // 2
            if self._probabilities @ _at_most(middle, ticks, self._tick_s) > QUANTILE:
                high = middle
            else:
                low = middle + 1
        return low

    def _weigh(self, weights: ByRate) -> None:
        """Bayes' rule."""
        weighed = self._probabilities * weights
        total = weighed.sum()
        if total <= 0:  # what was seen is impossible: nothing is known any more
            self._probabilities = np.full(BINS, 1 / BINS)
            return
        self._probabilities = weighed / total


def _reach(deviation: float) -> int:
    return math.ceil(KERNEL_DEVIATIONS * deviation / RATE_PER_BIN)


@cache
def _kernel(deviation: float) -> ByRate:
    """A Gaussian's probability in each bin around its mean."""
    reach = _reach(deviation)
    edges = [_normal((bin_ - 0.5) * RATE_PER_BIN / deviation) for bin_ in range(-reach, reach + 2)]
    masses = np.array([upper - lower for lower, upper in pairwise(edges)])
    kernel: ByRate = masses / masses.sum()
    return kernel


def _normal(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2


@cache
def _at_most(packets: int, ticks: int, tick_s: float) -> ByRate:
    """How likely no more than so many packets are delivered in the next ticks, for each rate that there is now."""
    duration_s = ticks * tick_s
    cumulative = np.array([_poisson_at_most(packets, rate * duration_s) for rate in RATES])
    # the mean of a random walk's next n places has a variance of (n + 1)(2n + 1) / 6n times that of a step
    deviation = WANDERING * math.sqrt(tick_s * (ticks + 1) * (2 * ticks + 1) / (6 * ticks))
    padded = np.pad(cumulative, _reach(deviation), mode="edge")
    likely = np.convolve(padded, _kernel(deviation), mode="valid")
    stays = math.exp(-OUTAGE_ENDS_PER_S * duration_s)
    likely[0] = stays + (1 - stays) * likely[0]
    return likely


@cache
def _at_least(packets: int, tick_s: float) -> ByRate:
    """How likely a tick delivers so many packets or more, for each rate, beside the likeliest.

    The tail itself is added up: as 1 less the rest it would be rounding noise beyond some 65 packets, alike for all
    rates.
    """
    expected = np.array(RATES[1:]) * tick_s
    term = total = np.ones(BINS - 1)
    count = packets
    while (term > NEGLIGIBLE * total).any():
        count += 1
        term = term * expected / count
        total = total + term
    logs = packets * np.log(expected) - expected + np.log(total)
    return np.concatenate(([0.0], np.exp(logs - logs.max())))


def _poisson_at_most(packets: int, mean: float) -> float:
    term = total = math.exp(-mean)
    for count in range(1, packets + 1):
        term *= mean / count
        total += term
    return min(total, 1.0)
