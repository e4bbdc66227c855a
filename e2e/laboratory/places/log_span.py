"""A run's time in the link's log: what the link did in it, and in each of its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from cc.core.quantile import quantile
from e2e.laboratory.places.link_log import Events, LinkLog
from e2e.laboratory.plan import INTERVAL_S
from e2e.laboratory.result import DelaySummary, LinkResult

Delays = tuple[float | None, ...]
"""None where nothing departed."""


class LogSpan:
    """From `zero_s` since the Unix epoch, with `count` intervals."""

    def __init__(self, zero_s: float, duration_s: float, count: int) -> None:
        self._duration_s = duration_s
        self._ends_ms = 1000 * zero_s + np.array([0.0, 1000 * duration_s])
        self._edges_ms = 1000 * zero_s + 1000 * INTERVAL_S * np.arange(count + 1, dtype=np.float64)

    def link_result(self, log: LinkLog) -> LinkResult:
        """Over the whole run; what chance took is not in the log."""
        first, last = np.searchsorted(log.departures.at_ms, self._ends_ms)
        dropped = np.searchsorted(log.drops.at_ms, self._ends_ms)
        return LinkResult(
            capacity_bits_per_s=float(_bits_between(log.opportunities, self._ends_ms)[0]) / self._duration_s,
            throughput_bits_per_s=float(_bits_between(log.departures, self._ends_ms)[0]) / self._duration_s,
            queueing_delay=_summary(log.delays_ms[first:last]),
            dropped=int(dropped[1] - dropped[0]),
            lost=None,
        )

    def rate_in_bins(self, events: Events) -> tuple[float, ...]:
        """Bits per second, interval by interval."""
        return tuple((_bits_between(events, self._edges_ms) / INTERVAL_S).tolist())

    def delays_in_bins(self, log: LinkLog) -> tuple[Delays, Delays]:
        """Mean and 95th percentile of what departed, ms, interval by interval."""
        first = np.searchsorted(log.departures.at_ms, self._edges_ms)
        delays = [_summary(log.delays_ms[start:end]) for start, end in pairwise(first)]
        return (
            tuple(None if delay is None else delay.mean_ms for delay in delays),
            tuple(None if delay is None else delay.p95_ms for delay in delays),
        )


def _bits_between(events: Events, times_ms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Between each time, which counts, and the next, which does not."""
    so_far = np.concatenate([[0.0], np.cumsum(events.wire_bytes)])
    return 8 * np.diff(so_far[np.searchsorted(events.at_ms, times_ms)])


def _summary(delays_ms: Sequence[float]) -> DelaySummary | None:
    if not delays_ms:
        return None
    ordered = sorted(delays_ms)
    return DelaySummary(fmean(ordered), quantile(ordered, 0.5), quantile(ordered, 0.95), ordered[-1])
