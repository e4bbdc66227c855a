"""How runs that make pairs differ, and intervals of logarithms.

Exchanging the two sides inverts the ratio, as means of the pairs' ratios would not: two arms could each come out above
the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from models.evaluation.resampling import Interval
from models.evaluation.student import mean_interval, ratio_of_groups

LEAST_DELAY_S = 0.001
"""Is added to delays before their logarithms are taken: emulated runs have them in whole milliseconds."""

Samples = Sequence[float | None]


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
