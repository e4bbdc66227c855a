"""A straight line through round-trip times, as PCC senders judge them.

Sources: Dong et al., PCC Vivace, NSDI 2018, section 4.3 (the gradient by regression); Meng et al., PCC Proteus, SIGCOMM
2020, sections 4 and 5 (the deviation, and the regression's error).

Deviation: the error is that of the residuals, as in the paper; the authors' code (github.com/PCCproject/PCC-Uspace,
commit 30c2cfe, ComputeRttGradientError) mixes units there and takes about the deviation of the samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cc.core.least_squares import slope


@dataclass(frozen=True, slots=True)
class RttTrend:
    """A straight line through an interval's round-trip times."""

    mean_s: float
    gradient: float
    """Seconds of RTT gained in each second of sending (Vivace, equation 1)."""
    gradient_error: float
    """Root mean square of the residuals over the mean RTT: below it a gradient is noise (Proteus, section 5)."""
    deviation_s: float
    """Standard deviation of the RTTs (Proteus, equation 2)."""


def rtt_trend(samples: Sequence[tuple[float, float]]) -> RttTrend | None:
    """Least squares through (sending time, RTT); None where there is no line through them."""
    gradient = slope(samples)
    if gradient is None:
        return None
    count = len(samples)
    mean_time = sum(time for time, _ in samples) / count
    mean_rtt = sum(rtt for _, rtt in samples) / count
    if mean_rtt <= 0:
        return None
    residuals = [rtt - mean_rtt - gradient * (time - mean_time) for time, rtt in samples]
    return RttTrend(
        mean_s=mean_rtt,
        gradient=gradient,
        gradient_error=math.sqrt(sum(residual**2 for residual in residuals) / count) / mean_rtt,
        deviation_s=math.sqrt(sum((rtt - mean_rtt) ** 2 for _, rtt in samples) / count),
    )
