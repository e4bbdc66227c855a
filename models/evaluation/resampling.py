"""Percentile bootstrap intervals of what is worked out over several episodes.

Episodes that several arms met are resampled together, so that pairs stay pairs, and so are episodes of one group, such
as a trace: they have more to do with each other than with the rest (a cluster bootstrap: Field and Welsh 2007, section
3). Every interval is drawn from the same seed: the same values have the same interval, wherever they are printed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

from cc.core.quantile import quantile
from models.groups import LEAST_GROUPS, LEAST_RESAMPLED_GROUPS

RESAMPLES = 2000
SEED = 1


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and where it lies with 95 % confidence."""

    value: float
    """The statistic of all samples: a mean, a ratio of means."""
    low: float
    high: float
    samples: int
    """How many it is of."""
    groups: int
    """How many of them have nothing to do with each other; as many as samples where each is by itself."""
    is_resampled: bool = False
    """Whether its ends are a percentile bootstrap's, which takes more groups."""

    @property
    def has_enough_groups(self) -> bool:
        """Whether its ends say where the value lies."""
        return self.groups >= (LEAST_RESAMPLED_GROUPS if self.is_resampled else LEAST_GROUPS)


def resampled(groups: Sequence[Hashable], statistic: Callable[[Sequence[int]], float]) -> Interval:
    """The statistic of all indices of `groups`, which says of each sample what it is drawn together with."""
    indices_of: dict[Hashable, list[int]] = {}
    for index, group in enumerate(groups):
        indices_of.setdefault(group, []).append(index)
    each = list(indices_of.values())
    rng = random.Random(SEED)
    found = sorted(statistic(list(chain(*rng.choices(each, k=len(each))))) for _ in range(RESAMPLES))
    low, high = quantile(found, 0.025), quantile(found, 0.975)
    return Interval(statistic(range(len(groups))), low, high, len(groups), len(each), is_resampled=True)


def mean_of(values: Sequence[float], *, groups: Sequence[Hashable] | None = None) -> Interval:
    """Their mean; each by itself without `groups`."""
    return resampled(
        range(len(values)) if groups is None else groups, lambda indices: fmean(values[index] for index in indices)
    )


def difference_of_means(
    minuends: Sequence[float], subtrahends: Sequence[float], *, groups: Sequence[Hashable] | None = None
) -> Interval:
    """Of values in the same scenarios; each by itself without `groups`."""
    return mean_of([one - other for one, other in zip(minuends, subtrahends, strict=True)], groups=groups)
