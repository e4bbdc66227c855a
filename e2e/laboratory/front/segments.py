"""How long the segments of a film take to come, and how much longer than with another scheme."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from e2e.laboratory.front.runs import Points
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.statistics.intervals import exp
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_of_groups

MEAN, P95 = "mean", "95th percentile"
NOTHING = "-"


def segments_table(points: Points) -> Table | None:
    """Each scheme's times, and beside those of the first; None where the application has no segments."""
    if np.isnan(points.segment_mean_ms).all():
        return None
    first = points.schemes[0]
    header = ("scheme", f"{MEAN}, s", f"{P95}, s", f"{MEAN} / {first}'s", f"{P95} / {first}'s")
    return Table("Time that a segment takes", header, tuple(_row(points, name, first) for name in points.schemes))


def ratios(points: Points, scheme: str, rival: str) -> Iterator[tuple[str, Interval]]:
    """`MEAN` and `P95` with the scheme's time / the rival's, of links on which both delivered segments.

    Geometric means of starts and of links, with Student's t over the links.
    """
    mine, its = points.schemes.index(scheme), points.schemes.index(rival)
    for what, times_ms in ((MEAN, points.segment_mean_ms), (P95, points.segment_p95_ms)):
        logs = [float(log) for log in np.log(times_ms[mine] / times_ms[its]).mean(axis=-1) if not math.isnan(log)]
        if logs:
            yield what, exp(mean_of_groups(logs, range(len(logs))))


def _row(points: Points, scheme: str, first: str) -> tuple[str, ...]:
    at, beside = points.schemes.index(scheme), dict(ratios(points, scheme, first))
    typical_s = (_typical_s(times_ms[at]) for times_ms in (points.segment_mean_ms, points.segment_p95_ms))
    return (scheme, *typical_s, *(_ratio(beside.get(what)) for what in (MEAN, P95)))


def _typical_s(times_ms: npt.NDArray[np.float64]) -> str:
    """Geometric mean over the links and starts that have one."""
    known_ms = times_ms[~np.isnan(times_ms)]
    return NOTHING if known_ms.size == 0 else f"{math.exp(np.log(known_ms).mean()) / 1000:.2f}"


def _ratio(ratio: Interval | None) -> str:
    if ratio is None:
        return NOTHING
    if not ratio.has_enough_groups:
        return f"{ratio.value:.3f}"
    return f"{ratio.value:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]"
