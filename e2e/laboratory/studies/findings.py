"""What a study finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.learned.groups import Group
from e2e.laboratory.report.plain_table import Table

NOT_SHIPPED = "not shipped"


@dataclass(frozen=True, slots=True)
class OverTime:
    """What a picture shows of one run: lines of one unit, each of moments and values."""

    title: str
    lines: Mapping[str, tuple[tuple[float, float | None], ...]]
    """By name, in the order of their colours: seconds, and what was then; None where there is nothing."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Figures, and what they were worked out from."""

    figures: tuple[Figure, ...]
    groups: tuple[Group, ...] = ()
    """Arms in the same scenarios, where policies are compared."""
    tables: tuple[Table, ...] = ()
    """To be read above the figures."""
    over_time: tuple[OverTime, ...] = ()
    """What some runs were like."""


def joined(*parts: Findings) -> Findings:
    """One after the other."""
    return Findings(
        tuple(figure for part in parts for figure in part.figures),
        tuple(group for part in parts for group in part.groups),
        tuple(table for part in parts for table in part.tables),
        tuple(each for part in parts for each in part.over_time),
    )


def not_shipped(title: str, what: str) -> Findings:
    """Of a policy that is not shipped, and what would have been measured."""
    return Findings((Figure(f"{title}, {what}: {NOT_SHIPPED}", None),), (Group(title, (), note=NOT_SHIPPED),))


def not_of(split: str, title: str) -> Findings:
    """Of a study whose links are for tests, where another split was asked for: nothing is to be chosen on them."""
    return _left_out(title, f"its links are for tests, and not of the {split} split")


def not_in(folder: Path, title: str) -> Findings:
    """Of a study of the shipped policies, where those of another folder were asked for."""
    return _left_out(title, f"it runs the policies that are shipped, and not those in {folder}")


def _left_out(title: str, note: str) -> Findings:
    return Findings((Figure(f"{title}: {note}", None),), (Group(title, (), note=note),))
