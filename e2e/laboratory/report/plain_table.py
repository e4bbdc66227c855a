"""A table of texts, as terminals, Markdown and pages have it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are to be read."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
