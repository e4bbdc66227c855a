"""Which columns of a table are the time and the rate, and what they count in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cc.links.traces.formats.base import NUMBER, ColumnsError, Reading

UNITS = {"bit": 1.0, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "byte": 8.0, "kbyte": 8e3, "mbyte": 8e6}
# Columns of data sets, in the order in which they are preferred.
RATES = {
    "bits_per_s": "bit",  # ours
    "bits_per_second": "bit",  # iperf's
    "dl_bitrate": "kbit",  # UCC 5G and 4G (G-NetTrack)
    "throughput": "mbit",  # Lumos5G
}
UNIT_AT_END = re.compile(
    r"(?:^|[^A-Za-z])(?P<prefix>[kKmMgG]?)(?:(?P<bits>bps|[Bb]its?_per_s(?:econd)?|[Bb]its?/s)|Bps|[Bb]ytes?_per_s(?:econd)?)\)?$"
)
SPANS = {"start_s": "end_s", "_start": "_end", "start": "end"}
TIMES = ("time_s", "seconds", "elapsed_s", "timestamp", "time_ms", "timestamp_ms", "time", "seq_num", "seq_no")
SCALES = {"_ms": 1e-3, "_us": 1e-6}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class Columns:
    """Those that are read."""

    time: Column
    end: Column | None
    time_scale: float | None
    """Seconds in one of the time column's numbers; None where its name does not say it."""
    rate: Column
    unit: str
    where: tuple[tuple[Column, str], ...]

    @property
    def last_index(self) -> int:
        """A row needs that many cells and one."""
        others = [column.index for column, _ in self.where] + ([] if self.end is None else [self.end.index])
        return max(self.time.index, self.rate.index, *others)


def has_header(first_row: Sequence[str]) -> bool:
    """Whether the first row names columns: a row of nothing but numbers does not."""
    return not all(NUMBER.fullmatch(cell.strip()) for cell in first_row)


def find_columns(names: Sequence[str], reading: Reading, *, line: int) -> Columns:
    """Those that `reading` asks for, else those of data sets that are known. Raises ColumnsError."""
    table = _Table(names, line)
    rate = table.named(reading.column, "--column") if reading.column is not None else _rate_column(table)
    time, end = _time_columns(table, reading.time_column)
    unit = reading.unit if reading.unit is not None else _unit_of(rate.name)
    if unit is None:
        raise ColumnsError(
            f"has a column {rate.name!r} of unknown unit: say with --unit which of {', '.join(UNITS)} a second it is",
            line=line,
        )
    where = tuple((table.named(name, "--where"), value) for name, value in reading.where)
    return Columns(time, end, SCALES.get(time.name[-3:].lower()), rate, unit, where)


LONGEST_LIST = 400  # characters


class _Table:
    def __init__(self, names: Sequence[str], line: int) -> None:
        self.columns = [Column(name.strip(), index) for index, name in enumerate(names)]
        self._line = line

    def find(self, name: str) -> Column | None:
        """Exactly so, else in other case."""
        exact = [column for column in self.columns if column.name == name]
        alike = [column for column in self.columns if column.name.lower() == name.lower()]
        return next(iter(exact + alike), None)

    def named(self, name: str, option: str) -> Column:
        found = self.find(name)
        if found is None:
            raise self.error(f"has no column {name!r} for {option}; there are {self.listed}")
        return found

    @property
    def listed(self) -> str:
        if all(column.name.isdigit() for column in self.columns):
            return f"1 to {len(self.columns)}, since it has no header"
        names = ", ".join(column.name for column in self.columns)
        return names if len(names) <= LONGEST_LIST else names[:LONGEST_LIST] + "..."

    def error(self, problem: str) -> ColumnsError:
        return ColumnsError(problem, line=self._line)


def _rate_column(table: _Table) -> Column:
    for name in RATES:
        if (found := table.find(name)) is not None:
            return found
    candidates = [column for column in table.columns if _unit_of(column.name) is not None]
    if not candidates:
        raise table.error(
            f"names no column of rates that is known: choose with --column and --unit among {table.listed}"
        )
    if len(candidates) > 1:
        several = ", ".join(column.name for column in candidates)
        raise table.error(f"names several columns of rates: choose one with --column among {several}")
    return candidates[0]


def _time_columns(table: _Table, wanted: str | None) -> tuple[Column, Column | None]:
    """The time, and the time of the end where there is one."""
    if wanted is not None:
        time = table.named(wanted, "--time-column")
        return time, table.find(SPANS.get(time.name.lower(), ""))
    for start_name, end_name in SPANS.items():
        start, end = table.find(start_name), table.find(end_name)
        if start is not None and end is not None:
            return start, end
    for name in TIMES:
        if (found := table.find(name)) is not None:
            return found, None
    raise table.error(f"names no column of times that is known: choose one with --time-column among {table.listed}")


def _unit_of(name: str) -> str | None:
    """Unit of a known column, or as the end of its name says: `carrier_throughput_mbps`, `rx_bytes_per_s`."""
    if name.lower() in RATES:
        return RATES[name.lower()]
    match = UNIT_AT_END.search(name)
    if match is None:
        return None
    unit = match["prefix"].lower() + ("byte" if match["bits"] is None else "bit")
    return unit if unit in UNITS else None
