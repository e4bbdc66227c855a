"""All benchmarks by name (benchmarks.json): studies of the laboratory, programs that take a browser, and suites."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("benchmarks.json")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A line of the list."""

    name: str
    """On the command line."""
    summary: str
    repeats: int
    """How often each arm is run, unless told otherwise; a suite has options of its own."""
    rests_on: tuple[str, ...]
    """Folders whose sources its figures go by."""
    study: str | None = None
    """The module of `studies` that holds it; None for a program or a suite."""
    program: str | None = None
    """The file of e2e/browser/bench that holds it, without its ending."""
    suite: str | None = None
    """The module whose `main` runs it, with a command line of its own."""
    group: str | None = None
    """A name that stands for several studies, on one page."""


def benchmarks() -> tuple[Benchmark, ...]:
    """In the order of the list."""
    lines = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(Benchmark(**{**line, "rests_on": tuple(line["rests_on"])}) for line in lines)
