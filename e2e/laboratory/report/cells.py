"""Tables of the page: numbers with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

from models.evaluation.resampling import Interval

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class TableCell:
    """What a cell has in large, and in small beneath it."""

    text: str
    small: str = ""
    is_bad: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head."""

    title: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row, whose head stays in sight while the cells scroll."""

    head: str
    cells: tuple[TableCell, ...]
    small: str = ""
    """Beneath the head."""
    series: int | None = None
    """Of its colour; None for the star of the sender that knows the link."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under the columns' heads."""

    label: str
    """For whoever does not see it."""
    first: str
    """Over the rows' heads."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """How a quantity is written."""

    scale: float = 1.0
    decimals: int = 1
    is_change: bool = False
    """Whether a plus is written out."""

    def text(self, value: float) -> str:
        """With a real minus, and without a sign for what rounds to nothing."""
        scaled = f"{value * self.scale:.{self.decimals}f}"
        if float(scaled) == 0:
            return scaled.lstrip("-")
        if scaled.startswith("-"):
            return f"{MINUS}{scaled[1:]}"
        return f"+{scaled}" if self.is_change else scaled

    def cell(self, interval: Interval | None) -> TableCell:
        """A mean and, where there are at least two samples, its interval."""
        if interval is None:
            return TableCell("\N{EN DASH}")
        small = f"{self.text(interval.low)} to {self.text(interval.high)}" if interval.samples > 1 else ""
        return TableCell(self.text(interval.value), small)


MBIT_PER_S = Format(1e-6, 2)
PERCENT = Format(100, 1)
CHANGE = Format(100, 1, is_change=True)
