"""Traces in files, whatever format they are of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cc.links.traces.formats.base import Reading, TraceFormat
from cc.links.traces.formats.registry import parse
from cc.links.traces.trace import Trace


@dataclass(frozen=True, slots=True)
class TraceFile:
    """A file that was read."""

    path: Path
    format: TraceFormat
    trace: Trace
    notes: tuple[str, ...]
    """What had to be decided to read it."""


def read_trace_file(path: Path, reading: Reading | None = None) -> TraceFile:
    """Raises TraceError, OSError, and UnicodeDecodeError for what is no text."""
    text = path.read_text(encoding="utf-8-sig")
    found, parsed = parse(text, path.name, reading)
    return TraceFile(path, found, parsed.trace, parsed.notes)
