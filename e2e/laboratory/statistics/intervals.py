"""Intervals: of how runs that make pairs differ, of logarithms, of shares, and of a mean in the plane.

Exchanging the two sides of pairs inverts the ratio, as means of the pairs' ratios would not: two arms could each come
out above the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, fdtri

from models.evaluation.resampling import Interval
from models.evaluation.student import CONFIDENCE, mean_interval, ratio_of_groups

LEAST_DELAY_S = 0.001
"""Is added to delays before their logarithms are taken: emulated runs have them in whole milliseconds."""

Samples = Sequence[float | None]
OUTLINE_POINTS = 60


def change_of_means(samples: Samples, partners: Samples) -> Interval | None:
    """How much larger the samples' mean is than their partners', as a share of it; a pair that lacks one is left out.

    None where the partners have nothing. Raises ValueError where they make no pairs.
    """
    pairs = _pairs(samples, partners)
    if not pairs or fmean(partner for _, partner in pairs) == 0:
        return None
    ratio = ratio_of_groups([sample for sample, _ in pairs], [partner for _, partner in pairs], range(len(pairs)))
    return _change(replace(ratio, low=max(0.0, ratio.low)))


def change_of_delays(samples_ms: Samples, partners_ms: Samples) -> Interval | None:
    """How much longer they typically are than their partners, a geometric mean; a pair that lacks one is left out.

    Raises ValueError where they make no pairs.
    """
    pairs = _pairs(samples_ms, partners_ms)
    logs = mean_interval([_log_ms(sample_ms) - _log_ms(partner_ms) for sample_ms, partner_ms in pairs])
    return None if logs is None else _change(exp(logs))


def exp(of_logs: Interval) -> Interval:
    """Of a mean of logarithms the geometric mean."""
    return replace(of_logs, value=math.exp(of_logs.value), low=math.exp(of_logs.low), high=math.exp(of_logs.high))


def _pairs(samples: Samples, partners: Samples) -> list[tuple[float, float]]:
    pairs = zip(samples, partners, strict=True)
    return [(sample, partner) for sample, partner in pairs if sample is not None and partner is not None]


def _log_ms(delay_ms: float) -> float:
    return math.log(delay_ms / 1000 + LEAST_DELAY_S)


def _change(ratio: Interval) -> Interval:
    return replace(ratio, value=ratio.value - 1, low=ratio.low - 1, high=ratio.high - 1)


def proportion(hits: float, count: int) -> Interval:
    """The share of hits with the interval of Clopper and Pearson (1934), which has a width also of none and of all.

    Student's t is far too narrow here: of 12 with a true share of 0.9 it holds that in 72 of 100 cases.
    """
    tail, misses = (1 - CONFIDENCE) / 2, count - hits
    low = 0.0 if hits == 0 else float(betaincinv(hits, misses + 1, tail))
    high = 1.0 if misses == 0 else float(betaincinv(hits + 1, misses, 1 - tail))
    return Interval(hits / count, low, high, samples=count, groups=count)


def confidence_ellipse(points: NDArray[np.float64], confidence: float = CONFIDENCE) -> NDArray[np.float64] | None:
    """Outline of the region that holds the mean of the rows (x, y), if they are drawn from a normal distribution.

    An ellipse after the samples' covariance, its squared radius that of Hotelling's T^2:
    2 (n - 1) / (n (n - 2)) F(2, n - 2). None with fewer than three points.
    """
    count = len(points)
    if count < 3:
        return None
    radius = np.sqrt(2 * (count - 1) / (count * (count - 2)) * fdtri(2, count - 2, confidence))
    variances, axes = np.linalg.eigh(np.cov(points, rowvar=False))
    angles = np.linspace(0, 2 * np.pi, OUTLINE_POINTS, endpoint=False)
    circle = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outline: NDArray[np.float64] = points.mean(axis=0) + circle * np.sqrt(variances.clip(min=0)) @ axes.T
    return outline
