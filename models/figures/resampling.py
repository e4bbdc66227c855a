"""Bootstrap intervals of what is worked out over several scenarios, paired: all arms are resampled alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from models.scenarios.evaluation import RESAMPLES, Interval

SEED = 1


@dataclass(frozen=True, slots=True)
class Resampled(Interval):
    """An interval, and how many values it is of."""

    samples: int


def resampled(count: int, statistic: Callable[[Sequence[int]], float], *, seed: int = SEED) -> Resampled:
    """The statistic of all indices below `count`, with its percentile bootstrap interval of 95 %."""
    rng = random.Random(seed)
    found = sorted(statistic(rng.choices(range(count), k=count)) for _ in range(RESAMPLES))
    low, high = found[round(0.025 * RESAMPLES)], found[round(0.975 * RESAMPLES) - 1]
    return Resampled(statistic(range(count)), low, high, samples=count)


def ratio_of_means(numerators: Sequence[float], denominators: Sequence[float]) -> Resampled:
    """Of values in the same scenarios."""

    def ratio(indices: Sequence[int]) -> float:
        return fmean(numerators[index] for index in indices) / fmean(denominators[index] for index in indices)

    return resampled(len(numerators), ratio)


def difference_of_means(minuends: Sequence[float], subtrahends: Sequence[float]) -> Resampled:
    """Of values in the same scenarios."""
    differences = [one - other for one, other in zip(minuends, subtrahends, strict=True)]
    return resampled(len(differences), lambda indices: fmean(differences[index] for index in indices))
