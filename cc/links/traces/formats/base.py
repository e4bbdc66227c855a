"""What a format is, and what all formats have in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from cc.links.traces.trace import Trace

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
LONGEST_SHOWN = 40
HIGHEST_BITS_PER_S = 1e12

Gaps = Literal["close", "hold", "outage"]


class TraceError(ValueError):
    """Text that is no trace. The caller, who knows the file's name, adds it: `at`."""

    def __init__(self, problem: str, *, line: int | None = None) -> None:
        """`problem` goes on where "line 3" or the file's name ends; without a line it is about the whole."""
        super().__init__(problem if line is None else f"line {line} {problem}")
        self.problem = problem
        self.line = line

    def at(self, file: object) -> str:
        """`FILE:LINE: problem`, as compilers say it and editors understand it."""
        return f"{file}:{self.line or 1}: {self.problem}"


class ColumnsError(TraceError):
    """A table that does not say which columns are meant; a `Reading` can."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read what a format leaves open; the defaults know the columns of common data sets."""

    column: str | None = None
    """A table's column with the rate."""
    time_column: str | None = None
    unit: str | None = None
    """The rate's unit; one of `csv_columns.UNITS`."""
    where: tuple[tuple[str, str], ...] = ()
    """A table's rows that count: those in which these columns have these values."""
    gaps: Gaps = "close"
    """What becomes of time in which nothing was measured: it is left out, the rate before holds, or the rate is 0."""


@dataclass(frozen=True, slots=True)
class ParsedTrace:
    """A trace and what had to be decided to read it."""

    trace: Trace
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """One line of the registry."""

    name: str
    """The format's name on command lines."""
    title: str
    summary: str
    suffixes: tuple[str, ...]
    """Ends of names of files that are of this format whatever is in them; the first is for writing."""
    begins: Callable[[str], bool]
    """Whether the first line that is not blank looks like it."""
    glance: Callable[[str], None]
    """Refuses a file by its beginning, which may break off anywhere after the first lines. Raises TraceError."""
    parse: Callable[[str, Reading], ParsedTrace]
    """Raises TraceError."""
    write: Callable[[Trace, float], str]
    """`bin_s`: the bins in which opportunities are counted, for formats of rates."""


def shown(text: str) -> str:
    """A value as an error shows it, cut where it is too long."""
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "...")


def number(text: str, *, line: int, what: str) -> float:
    """A decimal number, as none of Python's freer forms. Raises TraceError."""
    stripped = text.strip()
    value = float(stripped) if len(stripped) <= LONGEST_SHOWN and NUMBER.fullmatch(stripped) else None
    if value is None or abs(value) == float("inf"):
        raise TraceError(f"has {shown(text)} for {what}, which is not a number", line=line)
    return value


def rate_bits_per_s(value: float, bits: float, *, line: int, what: str) -> float:
    """A rate of `value` times `bits`. Raises TraceError for one that no link has."""
    rate = value * bits
    if not 0 <= rate <= HIGHEST_BITS_PER_S:
        raise TraceError(
            f"has {value:g} for {what}; a rate lies between 0 and {HIGHEST_BITS_PER_S / bits:g}", line=line
        )
    return rate


def decimal(value: float) -> str:
    """Twelve digits, which is more than any trace measures, without needless zeros."""
    return f"{value:.12g}"
