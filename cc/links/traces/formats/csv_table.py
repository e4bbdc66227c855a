"""Tables of rates: CSV with named columns, as data sets and spreadsheets have them.

Known without being told: our own (`start_s,end_s,bits_per_s`), Lumos5G (`seq_num`, `Throughput` in Mbit/s; the runs in
one file are told apart with `--where run_num=1`), UCC 5G (`Timestamp`, `DL_bitrate` in kbit/s), iperf logs as tables
(`_start`, `_end`, `bits_per_second`), and columns whose names end in their unit. A row without an end lasts until the
next one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from cc.links.traces.conversion import as_rates
from cc.links.traces.formats.base import (
    NUMBER,
    ParsedTrace,
    Reading,
    TraceError,
    TraceFormat,
    decimal,
    number,
    rate_bits_per_s,
)
from cc.links.traces.formats.csv_columns import UNITS, Column, Columns, find_columns, has_header
from cc.links.traces.formats.samples import Sample, trace_of_samples
from cc.links.traces.formats.timestamps import scale_of, seconds_of_date
from cc.links.traces.trace import Trace

DELIMITERS = ",;\t"
MISSING = frozenset({"", "-", "nan", "na", "n/a", "null", "none"})
HEADER = "start_s,end_s,bits_per_s\n"


def _glance(beginning: str) -> None:
    _columns(_rows(beginning), Reading())


def _columns(rows: Iterator[tuple[int, list[str]]], reading: Reading) -> tuple[Columns, bool]:
    """Which columns are meant, and whether the first row names them."""
    line, first = next(rows, (1, []))
    if not first:
        raise TraceError("it is empty; give a table with a header, a time and a rate a row")
    is_named = has_header(first)
    names = first if is_named else [str(index + 1) for index in range(len(first))]
    return find_columns(names, reading, line=line), is_named


def _parse(text: str, reading: Reading) -> ParsedTrace:
    rows = _rows(text)
    columns, is_named = _columns(rows, reading)
    chosen: list[tuple[int, list[str]]] = []
    missing: list[int] = []
    for line, row in rows if is_named else _rows(text):
        if len(row) <= columns.last_index:
            raise TraceError(f"has {len(row)} cells where {columns.last_index + 1} are needed", line=line)
        if any(row[column.index].strip() != value for column, value in columns.where):
            continue
        if row[columns.rate.index].strip().lower() in MISSING:
            missing.append(line)
        else:
            chosen.append((line, row))
    if not chosen:
        raise TraceError(f"{'no row is of what --where asks for' if reading.where else 'no row has a rate'}")
    scale = _time_scale(chosen, columns)
    samples = [_sample(row, columns, scale, line) for line, row in chosen]
    parsed = trace_of_samples(samples, gaps=reading.gaps, going_back="; rows of one run are chosen with --where")
    notes = [f"{columns.rate.name} in {columns.unit}/s by {columns.time.name}"]
    if missing:
        notes.append(f"{len(missing)} rows without a rate, first in line {missing[0]}: skipped")
    return ParsedTrace(parsed.trace, (*notes, *parsed.notes))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Those that are not empty, with their (last) line."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    reader = csv.reader(lines, delimiter=max(DELIMITERS, key=first.count), strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise TraceError(f"is no row of a table: {error}", line=reader.line_num) from error


def _time_scale(rows: list[tuple[int, list[str]]], columns: Columns) -> float:
    """Seconds in one of the numbers of time: as the column's name says, else as their size."""
    if columns.time_scale is not None:
        return columns.time_scale
    times = [columns.time] if columns.end is None else [columns.time, columns.end]
    cells = ((line, row[column.index].strip(), column.name) for line, row in rows for column in times)
    return scale_of(
        max((number(cell, line=line, what=name) for line, cell, name in cells if NUMBER.fullmatch(cell)), default=0.0)
    )


def _sample(row: list[str], columns: Columns, time_scale: float, line: int) -> Sample:
    rate = columns.rate
    value = number(row[rate.index], line=line, what=rate.name)
    return Sample(
        line,
        _time_s(row, columns.time, time_scale, line),
        None if columns.end is None else _time_s(row, columns.end, time_scale, line),
        rate_bits_per_s(value, UNITS[columns.unit], line=line, what=rate.name),
    )


def _time_s(row: list[str], column: Column, scale: float, line: int) -> float:
    cell = row[column.index].strip()
    if NUMBER.fullmatch(cell) is None:
        return seconds_of_date(cell, line=line, what=column.name)
    return number(cell, line=line, what=column.name) * scale


def _write(trace: Trace, bin_s: float) -> str:
    pieces = as_rates(trace, bin_s=bin_s).pieces()
    return HEADER + "".join(f"{decimal(start)},{decimal(end)},{decimal(rate)}\n" for start, end, rate in pieces)


CSV = TraceFormat(
    name="csv",
    title="CSV",
    summary="a table with named columns: Lumos5G, UCC 5G, others",
    suffixes=(".csv", ".tsv"),
    begins=lambda line: any(delimiter in line for delimiter in DELIMITERS),
    glance=_glance,
    parse=_parse,
    write=_write,
)
