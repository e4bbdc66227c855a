"""Traces in folders: which names they give to links, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cc.links.limits import LINK_NAME
from cc.links.link import OPPORTUNITY_BYTES
from cc.links.trace_file import read_trace_file
from cc.links.traces.formats.base import TraceError
from cc.links.traces.formats.mahimahi import MAHIMAHI
from cc.links.traces.formats.registry import FORMATS
from cc.links.traces.trace import mean_bits_per_s

UPLINK_SUFFIX = ".up"
"""Of the other half of a pair: no link of its own."""
SUFFIXES = tuple(suffix for form in FORMATS for suffix in form.suffixes if suffix != UPLINK_SUFFIX)
"""The first of a name's files in this order is taken."""


@dataclass
class RecordedTraces:
    """Files by the names of their links, and what was passed over."""

    files: dict[str, Path] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """A sentence for each file that is no link, though its name's end says that it is a trace."""


def recorded_traces(directories: Sequence[Path], *, is_taken: Callable[[str], bool]) -> RecordedTraces:
    """The traces of all folders; the first one with a name wins. `is_taken` tells of names that mean another link."""
    found = RecordedTraces()
    for directory in directories:
        own: dict[str, Path] = {}
        for file, suffix in _by_suffix(directory):
            name = file.name[: -len(suffix)]
            if not file.is_file():
                found.notes.append(f"{file} is no file")
            elif LINK_NAME.fullmatch(name) is None:
                found.notes.append(f"{file} is no link's name: take at most 64 letters, digits, dots, _ and -")
            elif is_taken(name):
                found.notes.append(f"{file} has the name of another link: rename it")
            else:
                own.setdefault(name, file)
        for name, file in sorted(own.items(), key=lambda item: item[1].name):
            found.files.setdefault(name, file)
    return found


def describe_trace(file: Path) -> str:
    """How long it is and what it carries.

    Raises ValueError, in one sentence, for what is no trace or cannot be read.
    """
    try:
        duration_s, bits_per_s = _measure_lines(file) if file.suffix in MAHIMAHI.suffixes else _measure(file)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is no text") from error
    except TraceError as error:
        raise ValueError(f"{file}: {error}") from error
    return f"Recorded in a network: {duration_s:.0f} s, mean {bits_per_s / 1e6:.1f} Mbit/s."


def _by_suffix(directory: Path) -> Iterator[tuple[Path, str]]:
    files = sorted(directory.iterdir()) if directory.is_dir() else []
    for suffix in SUFFIXES:
        yield from ((file, suffix) for file in files if file.name.lower().endswith(suffix))


def _measure(file: Path) -> tuple[float, float]:
    trace = read_trace_file(file).trace
    return trace.duration_s, mean_bits_per_s(trace)


def _measure_lines(file: Path) -> tuple[float, float]:
    """From mahimahi's lines alone: parsing all of them takes seconds."""
    content = file.read_bytes().rstrip()
    last = content[content.rfind(b"\n") + 1 :]
    if not last.isdigit() or int(last) == 0:
        raise TraceError("its last line is no number of milliseconds above 0")
    duration_s = int(last) / 1000
    return duration_s, (content.count(b"\n") + 1) * OPPORTUNITY_BYTES * 8 / duration_s
