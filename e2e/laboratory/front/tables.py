"""The front as tables, for terminal and page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from e2e.laboratory.front.lead import Lead, dominators_of, leads_of
from e2e.laboratory.front.runs import Points
from e2e.laboratory.front.segments import segments_table
from e2e.laboratory.report.plain_table import Table
from models.evaluation.resampling import Interval

MOST_DOMINATORS = 6
FAILED = "failed"
HEADER = (
    "scheme",
    "not dominated",
    "pairs",
    "throughput / best",
    "p95 delay, ms",
    "throughput / omniscient",
    "p95 above omniscient, ms",
)


def tables_of(points: Points) -> tuple[Table, ...]:
    """Over all links, by family, who dominates whom, and the segments' times; the first in pairs stands first."""
    links = len(points.links)
    starts = points.throughput_bits_per_s.shape[2]
    over = f"{links} link{'s' * (links != 1)}, {starts} start{'s' * (starts != 1)} each"
    all_leads, segments = _ordered(leads_of(points)), segments_table(points)
    families = sorted(set(points.families))
    by_family = {
        name: {
            lead.scheme: lead
            for lead in leads_of(points, [at for at, each in enumerate(points.families) if each == name])
        }
        for name in families
    }
    return (
        Table(f"Over {over}", HEADER, tuple(_row(lead) for lead in all_leads)),
        *(
            Table(
                f"{what}, by family",
                ("scheme", *families),
                tuple(
                    (lead.scheme, *(_share(_interval_of(by_family[name][lead.scheme], what)) for name in families))
                    for lead in all_leads
                ),
            )
            for what in ("Not dominated", "Pairs")
        ),
        Table(
            "Dominated by",
            ("scheme", "on how many links by whom"),
            tuple((lead.scheme, _dominators(points, lead)) for lead in all_leads),
        ),
        *([] if segments is None else [segments]),
    )


def text(tables: Sequence[Table]) -> str:
    """For a terminal."""
    return "\n".join(_text(table) for table in tables)


def _ordered(leads: Sequence[Lead]) -> list[Lead]:
    """Those that failed last."""
    return sorted(leads, key=lambda lead: (math.isnan(lead.pairs.value), -lead.pairs.value))


def _interval_of(lead: Lead, what: str) -> Interval:
    return lead.not_dominated if what == "Not dominated" else lead.pairs


def _row(lead: Lead) -> tuple[str, ...]:
    return (
        lead.scheme,
        _share(lead.not_dominated),
        _share(lead.pairs),
        _number(lead.throughput, 3),
        _number(lead.p95_delay_ms, 0),
        _number(lead.of_omniscient, 3),
        _number(lead.above_omniscient_ms, 0),
    )


def _share(interval: Interval) -> str:
    return _number(interval, 2)


def _number(interval: Interval, digits: int) -> str:
    """With its interval, where there are links enough for one."""
    if math.isnan(interval.value):
        return FAILED
    value = f"{interval.value:.{digits}f}"
    if not interval.has_enough_groups:
        return value
    return f"{value} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def _dominators(points: Points, lead: Lead) -> str:
    if math.isnan(lead.not_dominated.value):
        return FAILED
    found = list(dominators_of(points, points.schemes.index(lead.scheme)).items())
    listed = ", ".join(f"{other} {links}" for other, links in found[:MOST_DOMINATORS])
    left_out = len(found) - MOST_DOMINATORS
    return f"{listed}, {left_out} more" if left_out > 0 else listed or "nobody"


def _text(table: Table) -> str:
    rows = [table.header, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([table.title, "", *lines, ""])
