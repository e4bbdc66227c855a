"""Traces in folders: which names they give to links, and what is said of each.

Nothing is parsed here, which takes a second for each MB: whoever asks for a link hears what is wrong with its trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cc.links.limits import LINK_NAME
from cc.links.link import OPPORTUNITY_BYTES
from cc.links.traces.formats.base import TraceError, TraceFormat
from cc.links.traces.formats.mahimahi import MAHIMAHI
from cc.links.traces.formats.registry import FORMATS, format_of_name
from cc.links.traces.trace import LONGEST_S, TraceOperationError, check_size

UPLINK_SUFFIX = ".up"
"""Of the other half of a pair: no link of its own."""
SUFFIXES = tuple(suffix for form in FORMATS for suffix in form.suffixes if suffix != UPLINK_SUFFIX)
"""Of one folder's files with the same name the first in this order is taken that looks like a trace."""
GLANCE_CHARACTERS = 65_536  # iperf3 tells of up to 128 streams before its first interval
CHUNK_BYTES = 1 << 20
LONGEST_LINE_BYTES = 64  # of digits and blanks


@dataclass
class RecordedTraces:
    """Files by the names of their links, and what was passed over."""

    files: dict[str, Path] = field(default_factory=dict)
    """Of a name without any that looks like a trace, the first."""
    notes: list[str] = field(default_factory=list)
    """A sentence for each other file whose ending says that it is a trace; none for another folder's copy of one."""


def recorded_traces(directories: Sequence[Path], *, is_taken: Callable[[str], bool]) -> RecordedTraces:
    """The traces of all folders; the first one with a name wins. `is_taken` tells of names that mean another link."""
    found = RecordedTraces()
    candidates: dict[str, list[Path]] = {}
    for directory in directories:
        try:
            named = _traces_by_name(directory)
        except OSError as error:
            found.notes.append(f"{directory} cannot be read: {error.strerror}")
            continue
        for file, suffix, is_file in named:
            name = file.name[: -len(suffix)]
            if not is_file:
                found.notes.append(f"{file} is no file")
            elif LINK_NAME.fullmatch(name) is None:
                found.notes.append(f"{file} is no link's name: take at most 64 letters, digits, dots, _ and -")
            elif is_taken(name):
                found.notes.append(f"{file} has the name of another link: rename it")
            else:
                candidates.setdefault(name, []).append(file)
    for name, files in candidates.items():
        found.files[name] = files[0] if len(files) == 1 else _choose(files, found.notes)
    return found


def describe_trace(file: Path) -> str:
    """What can be said at a glance: how long it is and what it carries, or its format and size.

    Raises ValueError, in one sentence, for what does not look like a trace or cannot be read.
    """
    form = format_of_name(file.name)
    assert form is not None, "its name's end told that it is a trace"
    try:
        told = _glance(file, form)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is no text") from error
    except (TraceError, TraceOperationError) as error:
        raise ValueError(f"{file}: {error}") from error
    return f"Recorded in a network: {told}."


def _traces_by_name(directory: Path) -> list[tuple[Path, str, bool]]:
    """With their suffixes, and whether each is a file; those of the same name in the order of these. Raises OSError."""
    found: list[tuple[str, int, Path]] = []
    for file in directory.iterdir() if directory.is_dir() else []:
        for rank, suffix in enumerate(SUFFIXES):
            if file.name.lower().endswith(suffix):
                found.append((file.name[: -len(suffix)], rank, file))
    return [(file, SUFFIXES[rank], file.is_file()) for _, rank, file in sorted(found)]


def _choose(files: Sequence[Path], notes: list[str]) -> Path:
    """The first that looks like a trace, else the first; of each other one a sentence is added."""
    faults = {file: _fault(file) for file in files}
    chosen = next((file for file in files if faults[file] is None), files[0])
    for file in files:
        if file != chosen and not _is_copy(file, chosen):
            notes.append(faults[file] or f"{file} has the name of {chosen}: rename it")
    return chosen


def _fault(file: Path) -> str | None:
    try:
        describe_trace(file)
    except ValueError as error:
        return str(error)
    return None


def _is_copy(file: Path, other: Path) -> bool:
    """Whether it is the same in another folder: the set-up keeps copies of what Debian's package brings."""
    return file.name == other.name and file.stat().st_size == other.stat().st_size


def _glance(file: Path, form: TraceFormat) -> str:
    """Raises TraceError, TraceOperationError, OSError and UnicodeDecodeError."""
    with file.open(encoding="utf-8-sig") as text:
        beginning = text.read(GLANCE_CHARACTERS)
    form.glance(beginning)
    if form is not MAHIMAHI:
        return f"{form.title}, {_size(file.stat().st_size)}"
    duration_s, bits_per_s = _measure_lines(file, int(beginning.split(maxsplit=1)[0]))
    return f"{duration_s:.0f} s, mean {bits_per_s / 1e6:.1f} Mbit/s"


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 1e6 else f"{max(1, round(size_bytes / 1e3))} kB"


def _measure_lines(file: Path, first_ms: int) -> tuple[float, float]:
    """From the number of mahimahi's lines and the last one."""
    newlines, end = 0, b""
    with file.open("rb") as content:
        while chunk := content.read(CHUNK_BYTES):
            newlines += chunk.count(b"\n")
            check_size(newlines, "delivery opportunities")
            end = (end + chunk)[-LONGEST_LINE_BYTES:]
    last = end.removesuffix(b"\n").rpartition(b"\n")[2].rstrip(b" \t\r")
    if not last.isdigit() or int(last) == 0:
        raise TraceError("its last line is no number of milliseconds above 0")
    last_ms = int(last)
    if last_ms > LONGEST_S * 1000:
        raise TraceError(f"ends at {last_ms} ms, after more than a week: do the times count from its beginning?")
    if first_ms > last_ms:
        raise TraceError(f"goes back in time, from {first_ms} ms in its first line to {last_ms} ms in its last")
    count = newlines if end.endswith(b"\n") else newlines + 1
    return last_ms / 1000, count * OPPORTUNITY_BYTES * 8 / (last_ms / 1000)
