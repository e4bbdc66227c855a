"""The front in figures, as pages have them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.front.lead import Lead, leads_of
from e2e.laboratory.front.runs import Points
from e2e.laboratory.front.segments import MEAN, P95, ratios
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.reports import markdown

LEADER = "kuafu"
"""The scheme that is to lead; what others achieve stands beside it."""
NOT_DOMINATED = Reach("at least", 0.95)
PAIRS = Reach("at least", 0.75)
SEGMENT_RIVALS = ("cubic", "bbr")
SEGMENT_TIMES = {MEAN: Reach("at most", 0.95), P95: Reach("at most", 0.85)}


def figures_of(points: Points) -> list[Figure]:
    """Four of every scheme, and the leader's segments beside rivals'; of one that failed none is measured."""
    return [*(figure for lead in leads_of(points) for figure in _of(lead)), *_of_segments(points)]


def leave(points: Points, tables: Sequence[Table], *, command: str, name: str, folder: Path) -> Path:
    """For `nuwa bench pages`. Raises OSError."""
    measured = Measured.just_now(command, figures_of(points), [markdown(table) for table in tables])
    return measured.leave(folder, name)


def _of(lead: Lead) -> Iterator[Figure]:
    for what, interval, unit, reach in (
        ("share of links on which no sender-side scheme dominates it", lead.not_dominated, "", NOT_DOMINATED),
        ("share of pairs won", lead.pairs, "", PAIRS),
        ("throughput / the omniscient sender's", lead.of_omniscient, "", None),
        ("p95 queueing delay, geometric mean", lead.p95_delay_ms, "ms", None),
    ):
        wanted, title = reach if lead.scheme == LEADER else None, f"{lead.scheme}: {what}"
        if interval.has_enough_groups and not math.isnan(interval.value):
            yield Figure.of_interval(title, interval, unit, reach=wanted)
        else:
            yield Figure(title, None if math.isnan(interval.value) else interval.value, unit, reach=wanted)


def _of_segments(points: Points) -> Iterator[Figure]:
    for rival in SEGMENT_RIVALS:
        if LEADER in points.schemes and rival in points.schemes:
            for what, ratio in ratios(points, LEADER, rival):
                title = f"{LEADER} / {rival}: time that a segment takes, {what}"
                yield Figure.of_interval(title, ratio, reach=SEGMENT_TIMES[what])
