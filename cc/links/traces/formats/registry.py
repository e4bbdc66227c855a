"""Every format there is; command lines and documentation read this list."""

from __future__ import annotations

from cc.command_line.nearest import choice
from cc.links.traces.formats.base import ParsedTrace, Reading, TraceError, TraceFormat, shown
from cc.links.traces.formats.csv_table import CSV
from cc.links.traces.formats.iperf_json import IPERF_JSON
from cc.links.traces.formats.mahimahi import MAHIMAHI
from cc.links.traces.formats.pensieve import PENSIEVE

# The first that a file's first line looks like is taken; JSON has commas, too.
FORMATS: tuple[TraceFormat, ...] = (MAHIMAHI, PENSIEVE, IPERF_JSON, CSV)


class UnknownFormatError(ValueError):
    """No format has this name or suffix; the message is one sentence."""


def format_named(name: str) -> TraceFormat:
    """Raises UnknownFormatError."""
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    raise UnknownFormatError(f"unknown format {name!r}: {choice(name, (each.name for each in FORMATS))}")


def format_of_name(file_name: str) -> TraceFormat | None:
    """What the name's end says; None if it says nothing, as `.txt` and `.log` do."""
    ending = file_name.lower()
    return next((f for f in FORMATS if ending.endswith(f.suffixes)), None)


def format_of(text: str, file_name: str) -> TraceFormat:
    """What the file's name says, else what its first line looks like. Raises TraceError."""
    named = format_of_name(file_name)
    if named is not None:
        return named
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() == "":
            continue
        for candidate in FORMATS:
            if candidate.begins(line):
                return candidate
        known = "; ".join(f"{f.title}: {f.summary}" for f in FORMATS)
        raise TraceError(f"is {shown(line)}, which begins none of the formats known ({known})", line=number)
    raise TraceError("it is empty; give one delivery opportunity a line, in milliseconds, or another format")


def parse(text: str, file_name: str, reading: Reading | None = None) -> tuple[TraceFormat, ParsedTrace]:
    """A trace of whatever format it is. Raises TraceError."""
    found = format_of(text, file_name)
    return found, found.parse(text, Reading() if reading is None else reading)
