"""Percentile bootstrap intervals of what is worked out over several episodes.

Episodes that several arms met are resampled together, so that pairs stay pairs. Every interval is drawn from the same
seed: the same values have the same interval, wherever they are printed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

RESAMPLES = 2000
SEED = 1
LEAST_SAMPLES = 3
"""Of fewer an interval says nothing."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and where it lies with 95 % confidence."""

    value: float
    """The statistic of all samples: a mean, a ratio of means."""
    low: float
    high: float
    samples: int
    """How many it is of."""


def resampled(count: int, statistic: Callable[[Sequence[int]], float]) -> Interval:
    """The statistic of all indices below `count`."""
    rng = random.Random(SEED)
    found = sorted(statistic(rng.choices(range(count), k=count)) for _ in range(RESAMPLES))
    low, high = found[round(0.025 * RESAMPLES)], found[round(0.975 * RESAMPLES) - 1]
    return Interval(statistic(range(count)), low, high, count)


def mean_of(values: Sequence[float]) -> Interval:
    """Their mean."""
    return resampled(len(values), lambda indices: fmean(values[index] for index in indices))


def difference_of_means(minuends: Sequence[float], subtrahends: Sequence[float]) -> Interval:
    """Of values in the same scenarios."""
    return mean_of([one - other for one, other in zip(minuends, subtrahends, strict=True)])


def ratio_of_means(numerators: Sequence[float], denominators: Sequence[float]) -> Interval:
    """Of values in the same scenarios."""

    def ratio(indices: Sequence[int]) -> float:
        return fmean(numerators[index] for index in indices) / fmean(denominators[index] for index in indices)

    return resampled(len(numerators), ratio)
