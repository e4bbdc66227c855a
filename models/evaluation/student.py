"""Means of few samples or groups, and where they lie with 95 % confidence; needs SciPy, which serving does not."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from statistics import fmean, stdev

from scipy.special import stdtrit

from models.evaluation.resampling import Interval

CONFIDENCE = 0.95


def mean_interval(samples: Sequence[float], *, least: float = -math.inf, most: float = math.inf) -> Interval | None:
    """Their mean with Student's t interval, which ends where the quantity does; None without samples.

    A single sample has the whole range. Bootstraps of so few are too narrow: the percentile one lacks both t's quantile
    and the factor n / (n - 1) of the variance (the "narrowness bias" of Hesterberg 2015, "What Teachers Should Know
    About the Bootstrap"), and BCa, which corrects skewness, does not correct that (Owen 2025, "Better bootstrap t
    confidence intervals for the mean").
    """
    count = len(samples)
    if count == 0:
        return None
    centre, half = fmean(samples), math.inf
    if count > 1:
        half = float(stdtrit(count - 1, (1 + CONFIDENCE) / 2)) * stdev(samples) / math.sqrt(count)
    return Interval(centre, max(least, centre - half), min(most, centre + half), samples=count, groups=count)


def mean_of_groups(
    samples: Sequence[float], groups: Sequence[Hashable], *, least: float = -math.inf, most: float = math.inf
) -> Interval:
    """Mean of the groups' means, with Student's t over these, which ends where the quantity does.

    `groups` says of each sample which it belongs to. For samples that have more to do with each other than with the
    rest, in few groups: a bootstrap of twelve groups is too narrow (see `mean_interval`). Raises ValueError without
    samples.
    """
    interval = mean_interval(_means(samples, groups), least=least, most=most)
    if interval is None:
        raise ValueError("there are no samples to take the mean of")
    return replace(interval, samples=len(samples))


def ratio_of_groups(numerators: Sequence[float], denominators: Sequence[float], groups: Sequence[Hashable]) -> Interval:
    """Ratio of the means of the groups' means, with Student's t over the groups' residuals, as `mean_of_groups`.

    Linearised (Cochran 1977, "Sampling Techniques", section 6.4). Raises ValueError without samples.
    """
    mine, its = _means(numerators, groups), _means(denominators, groups)
    denominator = mean_of_groups(denominators, groups).value
    ratio = fmean(mine) / denominator
    residuals = mean_interval([(one - ratio * other) / denominator for one, other in zip(mine, its, strict=True)])
    assert residuals is not None  # of as many groups as the denominator
    half = (residuals.high - residuals.low) / 2
    return Interval(ratio, ratio - half, ratio + half, samples=len(groups), groups=residuals.groups)


def _means(samples: Sequence[float], groups: Sequence[Hashable]) -> list[float]:
    """Of each group, in the order in which they come."""
    members: dict[Hashable, list[float]] = {}
    for sample, group in zip(samples, groups, strict=True):
        members.setdefault(group, []).append(sample)
    return [fmean(values) for values in members.values()]
