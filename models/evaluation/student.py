"""A mean of few samples, and where it lies with 95 % confidence; needs SciPy, which serving does not."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
