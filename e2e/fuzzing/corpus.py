"""Inputs that are kept: a small folder for each target in the repository, and what coverage found since."""

from __future__ import annotations

from pathlib import Path

from cc.command_line.clone import ROOT
from e2e.fuzzing.target import Target

KEPT = Path(__file__).parent / "corpus"
"""A few kB each: what once broke something, and what no sample reaches."""
FOUND = ROOT / ".build" / "e2e" / "fuzz" / "corpus"
"""Grows as coverage does."""


def inputs_of(target: Target) -> list[bytes]:
    """Samples, then what is kept, then what was found, in an order that stays."""
    files = [file for folder in (KEPT, FOUND) for file in sorted((folder / target.name).glob("*")) if file.is_file()]
    return [*target.samples(), *(file.read_bytes()[: target.largest_bytes] for file in files)]
