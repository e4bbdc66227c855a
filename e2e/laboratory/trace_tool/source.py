"""Where a trace comes from: a file of any format, or a link with a name."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from cc.links.catalogue import LinkCatalogue, UnknownLinkError
from cc.links.trace_file import read_trace_file
from cc.links.traces.formats.base import Reading, TraceError
from cc.links.traces.opportunity_trace import OpportunityTrace
from cc.links.traces.trace import Trace


class TraceToolError(Exception):
    """What the one who typed the command can mend, in one sentence; about a file it begins with `FILE:LINE:`."""


@dataclass(frozen=True, slots=True)
class Source:
    """A trace with what is said of it."""

    name: str
    """As it was asked for."""
    kind: str
    trace: Trace
    notes: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """For names of files made of it."""
        return Path(self.name).name.removesuffix(Path(self.name).suffix) or "trace"


def read_source(name: str, options: argparse.Namespace, catalogue: LinkCatalogue) -> Source:
    """As everywhere names come before files; `./steps` is always a file. Raises TraceToolError."""
    reading = reading_of(options)
    file = Path(name)
    if catalogue.has(name) or not os.path.exists(name):  # no Path, which raises for a name too long
        return _named(name, options, catalogue)
    if options.uplink:
        raise TraceToolError(f"{name}: --uplink is for links with names; name the uplink's file instead")
    try:
        found = read_trace_file(file, reading)
    except OSError as error:
        raise TraceToolError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TraceToolError(f"{name}:{line}: is no text: byte {error.start} is not UTF-8") from error
    except TraceError as error:
        raise TraceToolError(error.at(name)) from error
    if found.format.name != "csv" and (reading.column or reading.time_column or reading.unit or reading.where):
        raise TraceToolError(f"{name}: is no table but {found.format.name}, and has no columns to choose")
    return Source(name, found.format.title, found.trace, found.notes)


def reading_of(options: argparse.Namespace) -> Reading:
    """What the command line says of it."""
    return Reading(options.column, options.time_column, options.unit, tuple(options.where), options.gaps)


def _named(name: str, options: argparse.Namespace, catalogue: LinkCatalogue) -> Source:
    try:
        link = catalogue.find(name, may_be_file=True)
    except UnknownLinkError as error:
        raise TraceToolError(str(error)) from error
    if reading_of(options) != Reading():
        raise TraceToolError(f"{name}: is read by its name without options of tables and measurements; name its file")
    times_ms = link.uplink_ms if options.uplink else link.downlink_ms
    if times_ms is None:
        raise TraceToolError(f"link {name} has no trace")
    return Source(
        name, f"{link.title}, {'uplink' if options.uplink else 'downlink'}", OpportunityTrace(tuple(times_ms))
    )
